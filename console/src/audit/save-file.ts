/** Hands a reply to the person as a file. */
export async function saveFile(name: string, reply: Response): Promise<void> {
  const address = URL.createObjectURL(await reply.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

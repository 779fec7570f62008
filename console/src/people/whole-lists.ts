/** The server names the item of a list that is wrong; a field of boxes shows the reason at the whole of it. */
export const wholeLists = (field: string): string => field.replace(/^(permissions|roleIDs|siteIDs)\.\d+$/, '$1')

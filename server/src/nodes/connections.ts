/** Nodes connected to this process: each node's open wake stream and its sockets, so that both can be closed. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Wake } from '@breakwater/contract/edge/node-api.ts'

type WakeKind = Wake['wake']

/** Wakes of one kind within this time are merged into one. */
const coalesceMs = 50
/** Bytes: a node that does not read its stream is disconnected instead of buffering more for it. */
const unreadBytesMax = 65_536

/** The wake stream of one node. */
export class WakeStream {
  readonly nodeId: number
  groupId: number | null
  private readonly response: ServerResponse
  private readonly resting = new Map<WakeKind, NodeJS.Timeout>()
  private readonly again = new Set<WakeKind>()

  constructor(nodeId: number, groupId: number | null, response: ServerResponse) {
    this.nodeId = nodeId
    this.groupId = groupId
    this.response = response
  }

  /** The first wake is sent at once; those that follow shortly are merged into one more. */
  wake(kind: WakeKind): void {
    if (this.resting.has(kind)) {
      this.again.add(kind)
      return
    }
    this.resting.set(
      kind,
      setTimeout(() => {
        this.resting.delete(kind)
        if (this.again.delete(kind)) this.wake(kind)
      }, coalesceMs),
    )
    this.write(kind)
  }

  write(kind: WakeKind): void {
    if (this.response.destroyed) return
    if (this.response.writableLength > unreadBytesMax) this.response.destroy()
    else this.response.write(`${JSON.stringify({ wake: kind } satisfies Wake)}\n`)
  }

  close(): void {
    for (const timer of this.resting.values()) clearTimeout(timer)
    this.again.clear()
    this.response.destroy()
  }
}

export class Connections {
  private readonly streams = new Map<number, WakeStream>()
  private readonly sockets = new Map<number, Set<Socket>>()

  /** Registers a node's stream. An older stream of the same node is closed: a machine has one agent. */
  addStream(stream: WakeStream): void {
    this.streams.get(stream.nodeId)?.close()
    this.streams.set(stream.nodeId, stream)
  }

  removeStream(stream: WakeStream): void {
    stream.close()
    if (this.streams.get(stream.nodeId) === stream) this.streams.delete(stream.nodeId)
  }

  /** Records that a socket was authenticated as a node. */
  addSocket(nodeId: number, socket: Socket): void {
    const known = this.sockets.get(nodeId) ?? new Set()
    if (known.has(socket)) return
    this.sockets.set(nodeId, known.add(socket))
    socket.once('close', () => {
      known.delete(socket)
      if (known.size === 0 && this.sockets.get(nodeId) === known) this.sockets.delete(nodeId)
    })
  }

  get streamCount(): number {
    return this.streams.size
  }

  /** Ids of all nodes that have a stream or a socket. */
  nodeIds(): number[] {
    return [...new Set([...this.streams.keys(), ...this.sockets.keys()])]
  }

  /** Wakes the nodes of a group, or all nodes. Returns how many. */
  wake(kind: WakeKind, groupId?: number): number {
    let count = 0
    for (const stream of this.streams.values()) {
      if (groupId !== undefined && stream.groupId !== groupId) continue
      stream.wake(kind)
      count += 1
    }
    return count
  }

  beat(): void {
    for (const stream of this.streams.values()) stream.write('beat')
  }

  /** Moves a node's stream to another group. */
  moveStream(nodeId: number, groupId: number | null): void {
    const stream = this.streams.get(nodeId)
    if (!stream || stream.groupId === groupId) return
    stream.groupId = groupId
    stream.wake('feed')
    stream.wake('tasks')
    stream.wake('bans')
  }

  /** Closes everything a node has open. */
  cutOff(nodeId: number): void {
    this.streams.get(nodeId)?.close()
    this.streams.delete(nodeId)
    for (const socket of this.sockets.get(nodeId) ?? []) socket.destroy()
  }

  closeAll(): void {
    for (const nodeId of this.nodeIds()) this.cutOff(nodeId)
  }
}

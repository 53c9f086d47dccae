// The mark of the changes feed: how far a device has come in what an organization's server tells (OFFLINE.md "Three layers of reading" 3).

/** The last row that was told. Without a kind and an id: everything up to this revision and with it. */
export interface FeedPlace {
  /** Which history the revisions count: empty, or 8 hexadecimal digits since a backup was put back. */
  epoch: string
  revision: bigint
  kind: string | null
  id: string | null
}

export function writeFeedMark({ epoch, revision, kind, id }: FeedPlace): string {
  const reached = epoch === '' ? String(revision) : `${epoch}-${revision}`
  return kind === null ? reached : `${reached}.${kind}.${id}`
}

/** The empty mark is the beginning. Null for what cannot be a mark; the kind and the id are not looked at. */
export function readFeedMark(mark: string): FeedPlace | null {
  const [reached = '', kind = null, id = null, ...more] = (mark || '0').split('.')
  const [, epoch = '', revision] = /^(?:([\da-f]{8})-)?(\d{1,18})$/.exec(reached) ?? []
  const isWhole = (kind === null) === (id === null) && more.length === 0
  return revision !== undefined && isWhole ? { epoch, revision: BigInt(revision), kind, id } : null
}

/** Whether every row of this revision was told to whoever has this mark. */
export function wasTold(mark: string, revision: number): boolean {
  const place = readFeedMark(mark)
  if (!place || !Number.isSafeInteger(revision)) return false
  return place.kind === null ? BigInt(revision) <= place.revision : BigInt(revision) < place.revision
}

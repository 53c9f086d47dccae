// The mark of the changes feed: how far a device has come in what an organization's server tells (OFFLINE.md "Three layers of reading" 3).

/** The last row that was told. Without a kind and an id: everything up to this revision and with it. */
export interface FeedPlace {
  revision: bigint
  kind: string | null
  id: string | null
}

export function writeFeedMark({ revision, kind, id }: FeedPlace): string {
  return kind === null ? String(revision) : `${revision}.${kind}.${id}`
}

/** The empty mark is the beginning. Null for what cannot be a mark; the kind and the id are not looked at. */
export function readFeedMark(mark: string): FeedPlace | null {
  const [revision = '', kind = null, id = null, ...more] = (mark || '0').split('.')
  const isWhole = (kind === null) === (id === null) && more.length === 0
  return /^\d{1,18}$/.test(revision) && isWhole ? { revision: BigInt(revision), kind, id } : null
}

/** Whether every row of this revision was told to whoever has this mark. */
export function wasTold(mark: string, revision: number): boolean {
  const place = readFeedMark(mark)
  if (!place || !Number.isSafeInteger(revision)) return false
  return place.kind === null ? BigInt(revision) <= place.revision : BigInt(revision) < place.revision
}

/** What an issued document's files are called; a number may hold what names of files may not, and then two could look alike. */
export function documentFileName({ number, id }: { number: string; id: string }): string {
  const plain = number.replaceAll(/[^\w.-]/g, '-')
  return plain === number ? plain : `${plain}-${id.slice(-6)}`
}

/** Content of an XML element: text, child elements by name, attributes as `@name`, own text as `#`. What is undefined is left out. */
export interface Element {
  [name: string]: Content
}
type Content = string | undefined | Element | readonly Element[]

/** A person's text as XML may hold it: two characters that JSON lets pass are none there. */
export function text(value: string | null): string | undefined {
  return value === null ? undefined : value.replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
}

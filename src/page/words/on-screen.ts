/**
 * What Intl has written for a text from right to left, on screens that run from left to right: without the marks that make its parts change places there,
 * and apart from what stands around it where it has such letters. Any other text stays what it is.
 */
export function onScreen(text: string): string {
  const unmarked = text.replaceAll(/[\u061c\u200e\u200f]/g, '')
  return /[\u0590-\u08ff]/.test(unmarked) ? `\u2068${unmarked}\u2069` : unmarked
}

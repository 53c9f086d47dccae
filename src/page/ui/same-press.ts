// Whoever presses two or three times means what was there at the first: what has come into its place meanwhile (a dialog has closed over it, the button has
// become another) is not pressed. Keys and screen readers press nothing by its place. It comes with the palette, soon after the first screen.

const againWithinMs = 350
/** A thumb does not meet the same point twice. */
const nearPx = 24

let first = { ...at(0, 0), x: 0, y: 0, endedAtMs: -Infinity, ...where() }
/** The press that is under way is the first one once more. */
let isAgain = false

function where() {
  return { path: location.pathname, scrolled: scrollY }
}

function at(x: number, y: number) {
  const pressed = document.elementFromPoint(x, y)?.closest('a, button, input, select, textarea, label, summary') ?? null
  // The same button may mean something else by now: then its words do.
  return { pressed, words: pressed?.textContent }
}

function follow(event: PointerEvent | MouseEvent): void {
  const { type, clientX: x, clientY: y, timeStamp } = event
  if (type === 'pointerdown') {
    const isNear = timeStamp - first.endedAtMs < againWithinMs && Math.hypot(x - first.x, y - first.y) < nearPx
    const { path, scrolled } = where()
    // What was scrolled there since is meant; another screen begins where it begins.
    isAgain = isNear && (scrolled === first.scrolled || path !== first.path)
    if (!isAgain) first = { ...at(x, y), x, y, endedAtMs: -Infinity, path, scrolled }
  }
  // A press that became a scroll has no end.
  if (type === 'pointerup') first.endedAtMs = timeStamp
  if (!isAgain || (type === 'click' && event.detail === 0)) return
  const { pressed, words } = at(first.x, first.y)
  if (pressed === first.pressed && words === first.words) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const)
  window.addEventListener(type, follow, { capture: true })

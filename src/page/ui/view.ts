// Whether what somebody pressed in is still there when its answer comes: the same screen, and no question closed since.
let view = 0

/** A number that another view has another of. */
export function viewNow(): number {
  return view
}

/** The person has gone to another screen, or has put a question away. */
export function leaveView(): void {
  view += 1
}

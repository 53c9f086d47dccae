// What Docket uses of React's scheduler; its published types leave this out.
declare module 'scheduler' {
  export function unstable_forceFrameRate(framesPerSecond: number): void
}

// A shared machine gives its processors to others for seconds: what is measured meanwhile says nothing of Docket, and is measured again.
import fs from 'node:fs'
import os from 'node:os'
import { round } from './numbers.ts'

/** More of the processors' time than this taken by the host's other guests, and a round is disturbed. */
const mostStolenPercent = 1
const mostTriesEach = 6

export interface Rounds<Result> {
  /** Of the rounds with the least time taken: chosen by that, never by what they came to. */
  results: Result[]
  /** Rounds that were measured for them, and the time taken in the worst that counts. */
  said: { tries: number; mostStolenPercent: number }
}

/** As many rounds as `wanted` in which the machine was left alone; where it never is, the least disturbed of six times as many. */
export async function undisturbed<Result>(wanted: number, measure: () => Promise<Result>): Promise<Rounds<Result>> {
  const all: { result: Result; stolen: number }[] = []
  const isCalm = ({ stolen }: { stolen: number }) => stolen <= mostStolenPercent
  while (all.filter(isCalm).length < wanted && all.length < wanted * mostTriesEach) {
    const [stolenBefore, began] = [stolenSeconds(), performance.now()]
    const result = await measure()
    all.push({ result, stolen: stolenPercent(stolenBefore, began) })
  }
  const kept = all.toSorted((a, b) => a.stolen - b.stolen).slice(0, wanted)
  return {
    results: kept.map(({ result }) => result),
    said: { tries: all.length, mostStolenPercent: kept.at(-1)!.stolen },
  }
}

/** What the host took from this machine's processors since then, in per cent of their time. */
export function stolenPercent(stolenBefore: number, beganMs: number): number {
  const seconds = (performance.now() - beganMs) / 1000
  return round(((stolenSeconds() - stolenBefore) / seconds / os.cpus().length) * 100)
}

/** What the host took from this machine's processors since it started; 0 where the system does not say. */
export function stolenSeconds(): number {
  const line = fs.existsSync('/proc/stat') ? fs.readFileSync('/proc/stat', 'utf8').split('\n')[0]! : ''
  const ticksPerSecond = 100
  return Number(line.trim().split(/\s+/)[8] ?? 0) / ticksPerSecond
}

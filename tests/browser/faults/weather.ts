// Which fault a request meets: thrown by the seed, by what the request is and by how often it came, so that a seed meets the same again.
import type http from 'node:http'
import { createDiceFor } from '#tests/soak/dice.ts'
import type { Fault, Network } from '#tests/support/network.ts'
import { faultNames, type Watch } from './watch.ts'

/** `bad`: every request may meet any fault; the others are that fault and no other. */
export type Sky = 'good' | 'bad' | 'down' | 'portal'

/** Of each request in bad weather; the rest gets through. */
const chances: [Exclude<Fault, 'none'>, number][] = [
  ['down', 0.1],
  ['hang', 0.03],
  ['lost-answer', 0.13],
  ['twice', 0.09],
  ['late', 0.09],
  ['stalled', 0.04],
  ['cut', 0.08],
  ['portal', 0.06],
  ['unauthorized', 0.06],
  ['stale', 0.1],
  ['limited', 0.03],
  ['unavailable', 0.06],
]
/** The server may have done what it was asked. */
const arrives: readonly Fault[] = ['none', 'lost-answer', 'twice', 'late', 'cut', 'stalled']

export interface Weather {
  sky: Sky
}

export function createWeather(network: Network, seed: number, watch: Watch, note: (what: string) => void): Weather {
  const times = new Map<string, number>()
  const arrived = new Set<string>()
  const weather: Weather = { sky: 'good' }

  function thrown(name: string): Fault {
    const nth = (times.get(name) ?? 0) + 1
    times.set(name, nth)
    let left = createDiceFor(seed, name, nth).next()
    return chances.find(([, each]) => (left -= each) < 0)?.[0] ?? 'none'
  }

  function ofSky(throwIt: () => Fault): Fault {
    if (weather.sky === 'bad') return throwIt()
    return weather.sky === 'good' ? 'none' : weather.sky
  }

  /** Of a file of the page: a proxy before it knows no problems, and the shell does not wait for what hangs. */
  function ofFile(url: string): Fault {
    const fault = ofSky(() => thrown(url))
    return fault === 'down' || fault === 'portal' ? fault : 'none'
  }

  function ofCall({ method = 'GET', url = '/', headers }: http.IncomingMessage): Fault {
    watch.count('calls of the API')
    const key = headers['idempotency-key'] as string | undefined
    let fault = ofSky(() => thrown(key ?? `${method} ${url.replace(/\?.*/, '')}`))
    // The server itself says that only of a version, and of no write that it has done: its key is looked up before.
    if (fault === 'stale' && (!key || arrived.has(key) || headers['if-match'] === undefined)) fault = 'none'
    if (key && arrives.includes(fault)) arrived.add(key)
    if (fault !== 'none') watch.count(faultNames[fault])
    note(`${method} ${url}${key ? ` under ${key}` : ''}${fault === 'none' ? '' : `: ${fault}`}`)
    return fault
  }

  network.before = async (request) => (request.url?.startsWith('/api/') ? ofCall(request) : ofFile(request.url ?? '/'))
  return weather
}

import pino from 'pino'

export type Log = pino.Logger

/** JSON lines on standard output. Nothing that comes from a request's headers or body is ever put in. */
export function createLog(destination?: pino.DestinationStream): Log {
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination ?? pino.destination(1))
}

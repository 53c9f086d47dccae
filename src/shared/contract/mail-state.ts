import { oneOf } from './common.ts'

/** What became of a mail. Null: too long ago to be known still. Ended: dismissed by somebody, or withdrawn because what it says was no longer so. */
export const mailState = oneOf(['waiting', 'sent', 'failing', 'unknown', 'given-up', 'ended']).nullable()

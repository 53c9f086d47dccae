import {
  logoQuery,
  newLogo,
  newOrganization,
  organization,
  organizationEdit,
  organizationList,
} from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { givesTheSame } from '#shared/invoice-number.ts'
import { ProblemError } from '#shared/problem.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import { row } from '#server/context.ts'
import { holdAccount } from '#server/db/database.ts'
import { forgetDue, setDue } from '#server/jobs/due-work.ts'
import { endpoint, onceForCaller, tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findLogo } from '#server/outgoing/logo-file.ts'
import { revokeInvitations } from '#server/rows/invitation-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { dropExchanges } from '#server/rows/draft-exchange.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { saysTheSame } from '#server/rows/same.ts'
import { findOrganizations, membershipsOf } from '#server/rows/organization-row.ts'
import { keepLogo, showLogo } from './logo.ts'
import { closeOrganization, insertFoundations, insertOrganization, updateOrganization, updateSeries } from './store.ts'

export const organizationRoutes: Route[] = [
  endpoint('listOrganizations', { summary: 'My organizations', answers: { 200: organizationList } }, async (call) => {
    const { userId } = call.caller!
    const { db } = call.services
    // First which they are, then what they are: the wall shows an organization's own tables only to who names it.
    const organizationIds = await db.asApp({ userId }, (tx) => membershipsOf(tx, userId))
    const data =
      organizationIds.length === 0
        ? []
        : await db.asApp({ userId, organizationIds }, (tx) => findOrganizations(tx, userId))
    return { status: 200, body: { data } }
  }),

  endpoint(
    'createOrganization',
    { summary: 'Create an organization', body: newOrganization, answers: { 201: organization, 200: organization } },
    (call) =>
      onceForCaller(call, call.body.id, async (tx) => {
        const { userId } = call.caller!
        // A person who has just closed their account makes no organization that nobody owns.
        const owner = await holdAccount(tx, userId)
        if (!owner) throw new ProblemError('user_disabled', { sid: call.caller!.sessionId })
        refuseSameNumbers(call.body.numbering, call.body.creditNoteNumbering)
        const fresh = await insertOrganization(tx, call.body, call.now)
        if (fresh) {
          await insertFoundations(tx, call.body, owner, uuidv7(), call.now)
          const { id, name } = call.body
          const place = { tx, organizationId: id, userId, now: call.now }
          const made = [{ field: 'name', before: null, after: name }]
          await recordActivity(place, 'createOrganization', { kind: 'organization', id }, name, made)
        }
        const [stored] = await findOrganizations(tx, userId, call.body.id)
        if (!stored || (!fresh && !saysTheSame(call.body, stored))) throw new ProblemError('id_taken')
        return row(stored, fresh ? 201 : 200)
      }),
  ),

  tenantEndpoint('getOrganization', { summary: 'An organization', answers: { 200: organization } }, async (call) => {
    const [stored] = await findOrganizations(call.tx, call.caller.userId, call.organizationId)
    return row(stored!)
  }),

  tenantEndpoint(
    'saveOrganization',
    { summary: 'Change an organization', body: organizationEdit, answers: { 200: organization } },
    async (call) => {
      const { tx, organizationId, body, ifMatch, now, caller } = call
      const before = namedRow(call, 'organization')
      const creditNoteNumbering = body.creditNoteNumbering ?? before.creditNoteNumbering
      const isAsItWas =
        body.numbering.pattern === before.numbering.pattern &&
        creditNoteNumbering.pattern === before.creditNoteNumbering.pattern
      // What an older build let be is no reason to keep an address from being changed.
      if (!isAsItWas) refuseSameNumbers(body.numbering, creditNoteNumbering)
      await updateSeries(tx, organizationId, body)
      const revision = await nextRevision(tx, organizationId)
      if (!(await updateOrganization(tx, organizationId, body, ifMatch!, revision, now)))
        throw new ProblemError('stale')
      // Their next time was reckoned in the zone before: each job notes it anew.
      if (body.timeZone !== before.timeZone)
        for (const kind of ['recurring', 'reminders'] as const) await setDue(tx, organizationId, kind, now)
      if (body.currency !== before.currency) await dropExchanges(tx, organizationId, revision)
      const [stored] = await findOrganizations(tx, caller.userId, organizationId)
      return row(stored!)
    },
  ),

  tenantEndpoint(
    'saveLogo',
    { summary: 'Set or take away the logo', body: newLogo, answers: { 200: organization } },
    async ({ tx, organizationId, body, ifMatch, now, caller }) => {
      const logo = body.content === null ? null : await keepLogo(tx, organizationId, body.content, now)
      const revision = await nextRevision(tx, organizationId)
      if (!(await showLogo(tx, organizationId, logo, { version: ifMatch!, revision, now })))
        throw new ProblemError('stale')
      const [stored] = await findOrganizations(tx, caller.userId, organizationId)
      return row(stored!)
    },
  ),

  tenantEndpoint(
    'getLogo',
    { summary: 'A logo of the organization', query: logoQuery, answers: {}, file: 'image/*' },
    async ({ tx, organizationId, query, caller }) => {
      const [stored] = await findOrganizations(tx, caller.userId, organizationId)
      const hash = query.hash ?? stored!.logo?.hash
      const found = hash === undefined ? undefined : await findLogo(tx, organizationId, hash)
      if (!found) throw new ProblemError('not_found')
      const { content, mediaType } = found
      return {
        status: 200,
        file: { type: mediaType, name: mediaType === 'image/png' ? 'logo.png' : 'logo.jpg', content },
      }
    },
  ),

  tenantEndpoint('deleteOrganization', { summary: 'Close an organization', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, ifMatch, now } = call
    // Before the revision, in the order in which whoever accepts one takes the two.
    await revokeInvitations(tx, organizationId, now)
    const revision = await nextRevision(tx, organizationId)
    if (!(await closeOrganization(tx, organizationId, ifMatch!, revision, now))) throw new ProblemError('stale')
    await forgetDue(tx, organizationId)
    return { status: 204 }
  }),
]

/** Each series would pass over what the other has given, and both would have gaps. */
function refuseSameNumbers(invoices: { pattern: string }, creditNotes: { pattern: string }): void {
  if (givesTheSame(invoices.pattern, creditNotes.pattern))
    throw fieldProblem('/creditNoteNumbering/pattern', 'Credit notes need numbers that invoices do not have')
}

// Who belongs to an organization and who is asked to: roles, the last owner, invitations by mail and what becomes of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { purge } from '#server/purge.ts'
import { expectProblem, register, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { join, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { password } from '#tests/support/people.ts'

const day = 24 * 60 * 60_000

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let bob: Actor
  let cleo: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app, undefined, 'Ann')
    bob = await verifiedActor(app, undefined, 'Bob')
    cleo = await verifiedActor(app, undefined, 'Cleo')
  })
  afterAll(() => app.db.close())

  const membersOf = async (actor: Actor, id: string) =>
    (await actor.send('GET', `/organizations/${id}/members`)).body.data
  const path = (id: string, { userId }: Actor) => `/organizations/${id}/members/${userId}`
  async function versionOf(actor: Actor, id: string, who: Actor) {
    return { 'if-match': (await actor.send('GET', path(id, who))).headers.get('etag')! }
  }
  async function setRole(actor: Actor, id: string, who: Actor, role: string) {
    return actor.send('PUT', path(id, who), { body: { role }, headers: await versionOf(actor, id, who) })
  }
  async function remove(actor: Actor, id: string, who: Actor) {
    return actor.send('DELETE', path(id, who), { headers: await versionOf(actor, id, who) })
  }
  const invite = (actor: Actor, id: string, email: string, role = 'member') =>
    actor.send('POST', `/organizations/${id}/invitations`, { body: { email, role } })

  describe('members', () => {
    test('are listed by name, with role and since when', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, cleo, 'viewer')
      await join(app.db, id, bob, 'admin')
      const data = await membersOf(cleo, id)
      expect(data.map(({ name, email, role }: Record<string, string>) => [name, email, role])).toEqual([
        ['Ann', ann.email, 'owner'],
        ['Bob', bob.email, 'admin'],
        ['Cleo', cleo.email, 'viewer'],
      ])
      expect(data[0]).toMatchObject({ id: ann.userId, organizationId: id, version: 1, createdAt: expect.any(String) })
    })

    test('a role is changed by who may, at the version they saw, and never above their own', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, bob, 'admin')
      await join(app.db, id, cleo, 'member')
      const body = { role: 'viewer' }
      expectProblem(await bob.send('PUT', path(id, cleo), { body }), { status: 428 })
      expectProblem(await bob.send('PUT', path(id, cleo), { body, headers: { 'if-match': '"9"' } }), { status: 412 })
      expect((await setRole(bob, id, cleo, 'accountant')).body).toMatchObject({ role: 'accountant', version: 2 })
      expectProblem(await setRole(bob, id, cleo, 'owner'), { status: 403, code: 'forbidden' })
      expectProblem(await setRole(bob, id, ann, 'viewer'), { status: 403 })
      expectProblem(await remove(bob, id, ann), { status: 403 })
      expectProblem(await setRole(bob, id, bob, 'owner'), { status: 403 })
      expectProblem(await setRole(cleo, id, cleo, 'admin'), { status: 403 })
      expectProblem(await setRole(ann, id, cleo, 'king'), { status: 422 })
      expect((await setRole(ann, id, bob, 'owner')).status).toBe(200)
      expect((await setRole(bob, id, ann, 'admin')).status).toBe(200)
      expect((await ann.send('GET', `/organizations/${id}`)).body.role).toBe('admin')
    })

    test('whoever is removed, or leaves, is nobody there; the feed tells the others', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, bob, 'accountant')
      await join(app.db, id, cleo, 'viewer')
      const feed = async (since: string) => (await ann.send('GET', `/organizations/${id}/changes?since=${since}`)).body
      const { page } = await feed('')
      expectProblem(await remove(bob, id, cleo), { status: 403 })
      expect((await remove(ann, id, bob)).status).toBe(204)
      expect((await remove(cleo, id, cleo)).status).toBe(204)
      for (const gone of [bob, cleo]) {
        expectProblem(await gone.send('GET', `/organizations/${id}`), { status: 404 })
        expect((await gone.send('GET', '/organizations')).text).not.toContain(id)
      }
      expect(await membersOf(ann, id)).toHaveLength(1)
      expect((await feed(page.next)).data).toMatchObject([
        { kind: 'member', id: bob.userId, row: null },
        { kind: 'member', id: cleo.userId, row: null },
      ])
      // And comes back.
      await join(app.db, id, bob, 'viewer')
      expect((await feed(page.next)).data).toMatchObject([
        { kind: 'member', id: cleo.userId, row: null },
        { kind: 'member', id: bob.userId, row: { name: 'Bob', email: bob.email, role: 'viewer', version: 3 } },
      ])
    })

    test('there is always an owner: the only one neither leaves nor steps down', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, bob, 'admin')
      expectProblem(await remove(ann, id, ann), { status: 409, code: 'sole_owner' })
      expectProblem(await setRole(ann, id, ann, 'viewer'), { status: 409, code: 'sole_owner' })
      await setRole(ann, id, bob, 'owner')
      expect((await remove(ann, id, ann)).status).toBe(204)
    })

    test.each([
      ['leave', (who: Actor, id: string, etag: object) => who.send('DELETE', path(id, who), { headers: { ...etag } })],
      [
        'step down',
        (who: Actor, id: string, etag: object) =>
          who.send('PUT', path(id, who), { body: { role: 'viewer' }, headers: { ...etag } }),
      ],
      [
        'remove each other',
        (who: Actor, id: string, etag: object, other: Actor) =>
          who.send('DELETE', path(id, other), { headers: { ...etag } }),
      ],
    ])('two owners who %s at once: one stays, whoever comes second', async (_, act) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const { id } = await makeOrganization(ann)
        await join(app.db, id, bob, 'owner')
        const etag = { 'if-match': '"1"' }
        const answers = await Promise.all([act(ann, id, etag, bob), act(bob, id, etag, ann)])
        const [done, refused] = answers.toSorted((a, b) => a.status - b.status)
        expect(done!.status).toBeLessThan(300)
        expect([404, 409]).toContain(refused!.status)
        const owners = await app.db.asApp({ organizationIds: [id] }, (tx) =>
          tx.selectFrom('memberships').select('userId').where('role', '=', 'owner').execute(),
        )
        expect(owners).toHaveLength(1)
      }
    })

    test('the organization is handed over to a member; who gives it stays as an admin', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, bob, 'viewer')
      const to = (userId: string) => ({ body: { userId }, headers: { 'if-match': '"1"' } })
      const transfer = `/organizations/${id}/transfer`
      for (const stranger of [cleo, ann])
        expectProblem(await ann.send('POST', transfer, to(stranger.userId)), {
          status: 422,
          errors: [{ pointer: '/userId', detail: expect.any(String) as string }],
        })
      expectProblem(await ann.send('POST', transfer, { ...to(bob.userId), headers: { 'if-match': '"7"' } }), {
        status: 412,
      })
      expect((await ann.send('POST', transfer, to(bob.userId))).body).toMatchObject({ id, role: 'admin' })
      expect((await bob.send('GET', `/organizations/${id}`)).body.role).toBe('owner')
      expectProblem(await ann.send('POST', transfer, to(bob.userId)), { status: 403 })
    })

    test('a new name, and a new email, show wherever the person belongs', async () => {
      const eve = await verifiedActor(app, undefined, 'Eve')
      const places = [await makeOrganization(ann), await makeOrganization(ann)]
      for (const { id } of places) await join(app.db, id, eve, 'viewer')
      expect((await eve.send('PUT', '/account', { body: { name: 'Eve Newname' } })).status).toBe(200)
      const email = `${uuidv7()}@example.com`
      expect((await eve.send('POST', '/account/email', { body: { email, password } })).status).toBe(202)
      for (const address of [eve.email, email])
        await app.send('POST', '/api/v1/auth/confirm-email', { body: { token: await app.mailedToken(address) } })
      for (const { id } of places)
        expect(await membersOf(ann, id)).toMatchObject([{ name: 'Ann' }, { name: 'Eve Newname', email, version: 3 }])
    })

    test('what is left of somebody who went is a name', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, bob, 'viewer')
      await remove(ann, id, bob)
      const rows = await app.db.asApp({ organizationIds: [id] }, (tx) =>
        tx.selectFrom('members').select(['name', 'email', 'emailKey']).where('id', '=', bob.userId).execute(),
      )
      expect(rows).toEqual([{ name: 'Bob', email: '', emailKey: '' }])
    })

    test('an organization may keep issuing from its members', async () => {
      const { version, ...rest } = await makeOrganization(ann)
      await join(app.db, rest.id, bob, 'member')
      const issue = () =>
        bob.send('POST', `/organizations/${rest.id}/invoices/${uuidv7()}/issue`, { headers: { 'if-match': '"1"' } })
      const save = (body: object, etag: number) =>
        ann.send('PUT', `/organizations/${rest.id}`, { body, headers: { 'if-match': `"${etag}"` } })
      expect(rest.membersMayIssue).toBe(true)
      expectProblem(await issue(), { status: 404 })
      expect((await save({ ...rest, membersMayIssue: false }, version)).body.membersMayIssue).toBe(false)
      expectProblem(await issue(), { status: 403 })
      // A build that knows nothing of it leaves it as it is.
      const { membersMayIssue: _, ...older } = rest
      expect((await save(older, 2)).body.membersMayIssue).toBe(false)
    })
  })

  describe('invitations', () => {
    const accept = (actor: Actor, id: string) => actor.send('POST', `/invitations/${id}/accept`)
    const find = (token: string) => app.send('POST', '/api/v1/public/invitations', { body: { token } })
    const own = async (actor: Actor) => (await actor.send('GET', '/invitations')).body.data

    test('by mail, seen by its link, accepted by whoever has that very address', async () => {
      const { id } = await makeOrganization(ann, { name: 'Annex' })
      const email = `${uuidv7()}@example.com`
      const made = await invite(ann, id, email.toUpperCase(), 'accountant')
      expect(made).toMatchObject({
        status: 201,
        body: { email: email.toUpperCase(), role: 'accountant', status: 'pending', invitedBy: 'Ann' },
      })
      const token = await app.mailedToken(email.toUpperCase())
      expect(token).toMatch(/^i_/)
      expect((await find(token)).body).toEqual({
        id: made.body.id,
        organizationName: 'Annex',
        email: email.toUpperCase(),
        role: 'accountant',
        status: 'pending',
        invitedBy: 'Ann',
        expiresAt: made.body.expiresAt,
      })
      // Not by somebody else who has the link, nor before the address is verified.
      expectProblem(await accept(bob, made.body.id), { status: 404 })
      const guest = await register(app, email, 'Guest')
      expectProblem(await accept(guest, made.body.id), { status: 403, code: 'email_not_verified' })
      const verified = await guest.send('GET', `/auth/verify-email?token=${await app.mailedToken(email)}`)
      guest.accessToken = verified.body.accessToken
      expect(await own(guest)).toMatchObject([{ id: made.body.id, organizationName: 'Annex', role: 'accountant' }])
      expect(await own(bob)).toEqual([])
      const joined = { status: 200, body: { organizationId: id, role: 'accountant' } }
      // Pressed twice.
      for (const each of await Promise.all([accept(guest, made.body.id), accept(guest, made.body.id)]))
        expect(each).toMatchObject(joined)
      expect(await accept(guest, made.body.id)).toMatchObject(joined)
      expect((await guest.send('GET', `/organizations/${id}`)).body.role).toBe('accountant')
      expect(await membersOf(ann, id)).toMatchObject([{ name: 'Ann' }, { name: 'Guest', role: 'accountant' }])
      expect(await own(guest)).toEqual([])
      const [after] = (await ann.send('GET', `/organizations/${id}/invitations`)).body.data
      expect(after.status).toBe('accepted')
      // Removed, the same invitation brings nobody back.
      await remove(ann, id, guest)
      expectProblem(await accept(guest, made.body.id), { status: 410 })
      // The secret is in the mail alone.
      const told = [made.text, app.logged(), (await ann.send('GET', `/organizations/${id}/invitations`)).text].join()
      expect(told).not.toContain(token)
    })

    test('once declined, revoked or over it opens nothing; resent it has a new link and new days', async () => {
      const { id } = await makeOrganization(ann)
      const later = await startTestApp(app.db)
      const first = (await invite(ann, id, bob.email)).body
      const oldToken = await app.mailedToken(bob.email)
      const resend = `/organizations/${id}/invitations/${first.id}/resend`
      app.pass(1000)
      const again = await ann.send('POST', resend)
      expect(again.body).toMatchObject({ id: first.id, status: 'pending' })
      expect(again.body.expiresAt > first.expiresAt).toBe(true)
      expect(await app.mailedToken(bob.email)).not.toBe(oldToken)
      expectProblem(await find(oldToken), { status: 410, code: 'link_expired' })
      later.pass(7 * day + 2000)
      expect(
        (await later.send('POST', '/api/v1/public/invitations', { body: { token: await app.mailedToken(bob.email) } }))
          .body.status,
      ).toBe('expired')
      expect((await bob.send('POST', `/invitations/${first.id}/decline`)).status).toBe(204)
      expect((await bob.send('POST', `/invitations/${first.id}/decline`)).status).toBe(204)
      expectProblem(await accept(bob, first.id), { status: 410 })
      expectProblem(await ann.send('POST', resend), { status: 409, code: 'invalid_transition' })
      const second = (await invite(ann, id, bob.email)).body
      expect((await ann.send('DELETE', `/organizations/${id}/invitations/${second.id}`)).status).toBe(204)
      expect(await own(bob)).toEqual([])
      expectProblem(await accept(bob, second.id), { status: 410 })
      expectProblem(await ann.send('DELETE', `/organizations/${id}/invitations/${second.id}`), { status: 409 })
    })

    test.each([
      ['is made a viewer', 'owner', (id: string, host: Actor) => setRole(ann, id, host, 'viewer')],
      ['is made an admin', 'owner', (id: string, host: Actor) => setRole(ann, id, host, 'admin')],
      ['is removed', 'member', (id: string, host: Actor) => remove(ann, id, host)],
      ['leaves', 'owner', (id: string, host: Actor) => remove(host, id, host)],
      [
        'deletes the account',
        'owner',
        (_: string, host: Actor) => host.send('POST', '/account/delete', { body: { password } }),
      ],
    ])('whoever asked %s: nobody joins by it as %s any more', async (_, role, fall) => {
      const { id } = await makeOrganization(ann)
      const host = await verifiedActor(app, undefined, 'Host')
      await join(app.db, id, host, 'owner')
      const made = (await invite(host, id, bob.email, role)).body
      const token = await app.mailedToken(bob.email)
      const others = (await invite(ann, id, cleo.email, role)).body
      expect((await fall(id, host)).status).toBeLessThan(300)
      expect((await find(token)).body).toMatchObject({ id: made.id, status: 'revoked' })
      expect(await own(bob)).toEqual([])
      expectProblem(await accept(bob, made.id), { status: 410, code: 'link_expired' })
      // What others asked for, and what the same person may ask for still, stands.
      expect((await accept(cleo, others.id)).status).toBe(200)
    })

    test('what may be given still stays open when a role falls', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, cleo, 'owner')
      const made = (await invite(cleo, id, bob.email, 'admin')).body
      expect((await setRole(ann, id, cleo, 'admin')).status).toBe(200)
      expect(await accept(bob, made.id)).toMatchObject({ status: 200, body: { role: 'admin' } })
    })

    test('accepting looks again at how the inviter stands', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, cleo, 'owner')
      const made = (await invite(cleo, id, bob.email, 'owner')).body
      // As if it had been asked for at the very moment at which the role fell.
      await app.db.asApp({ organizationIds: [id] }, (tx) =>
        tx.updateTable('memberships').set({ role: 'admin' }).where('userId', '=', cleo.userId).execute(),
      )
      expectProblem(await accept(bob, made.id), { status: 410, code: 'link_expired' })
    })

    test('one whose mail does not get through is told to the organization', async () => {
      const { id } = await makeOrganization(ann)
      const email = `${uuidv7()}@example.com`
      const made = await invite(ann, id, email)
      const listed = async () => (await ann.send('GET', `/organizations/${id}/invitations`)).body.data
      expect(made.body.mail).toBe('waiting')
      expect(await listed()).toMatchObject([{ status: 'pending', mail: 'waiting' }])
      // As the sender leaves it where nobody is known at the address.
      const failed = { failure: 'address', lastError: 'no such user', attempts: 1, givenUpAt: new Date().toISOString() }
      await app.db.asJobs((tx) => tx.updateTable('mails').set(failed).where('recipient', '=', email).execute())
      const { body } = await ann.send('GET', `/organizations/${id}/failures`)
      expect(body.mails).toMatchObject([{ kind: 'invitation', recipient: email, failure: 'address', nextTryAt: null }])
      const counted = (await ann.send('GET', '/failures')).body.data
      expect(counted).toContainEqual({ organizationId: id, count: 1 })
      expect(await listed()).toMatchObject([{ status: 'pending', mail: 'given-up' }])

      // The next one takes its place: what could still be delivered would have a link that opens nothing.
      const path = `/organizations/${id}/invitations/${made.body.id}`
      expect((await ann.send('POST', `${path}/resend`)).body).toMatchObject({ status: 'pending', mail: 'waiting' })
      expect((await ann.send('GET', `/organizations/${id}/failures`)).body.mails).toEqual([])
      const states = () =>
        app.db.asJobs((tx) =>
          tx.selectFrom('mails').select('endedAs').where('recipient', '=', email).orderBy('createdAt').execute(),
        )
      expect(await states()).toEqual([{ endedAs: 'withdrawn' }, { endedAs: null }])
      await ann.send('DELETE', path)
      expect(await states()).toEqual([{ endedAs: 'withdrawn' }, { endedAs: 'withdrawn' }])
    })

    test('seven days, by the clock', async () => {
      const clocked = await startTestApp(app.db)
      const { id } = await makeOrganization(ann)
      const { body } = await invite(ann, id, cleo.email)
      clocked.pass(7 * day + 2000)
      const late = {
        headers: {
          authorization: `Bearer ${(await clocked.send('POST', '/api/v1/auth/login', { body: { email: cleo.email, password } })).body.accessToken}`,
        },
      }
      expect((await clocked.send('GET', '/api/v1/invitations', late)).body.data).toEqual([])
      expectProblem(await clocked.send('POST', `/api/v1/invitations/${body.id}/accept`, late), { status: 410 })
      expect((await accept(cleo, body.id)).status).toBe(200)
    })

    test('a newer one to the same address takes the place of the older; both at once leave one', async () => {
      const { id } = await makeOrganization(ann)
      const email = `${uuidv7()}@example.com`
      const older = (await invite(ann, id, email, 'viewer')).body
      await Promise.all([invite(ann, id, email.toUpperCase()), invite(ann, id, email), invite(ann, id, email)])
      const { data } = (await ann.send('GET', `/organizations/${id}/invitations`)).body
      expect(data.filter(({ status }: { status: string }) => status === 'pending')).toHaveLength(1)
      expect(data.find((each: { id: string }) => each.id === older.id).status).toBe('revoked')
    })

    test('whoever is a member already is not invited, nobody is given more than the inviter has', async () => {
      const { id } = await makeOrganization(ann)
      await join(app.db, id, bob, 'admin')
      expectProblem(await invite(bob, id, ann.email.toUpperCase()), {
        status: 409,
        code: 'already_member',
        errors: [{ pointer: '/email', detail: 'This person is a member already' }],
      })
      expectProblem(await invite(bob, id, cleo.email, 'owner'), { status: 403 })
      const ofAnn = (await invite(ann, id, cleo.email, 'owner')).body
      for (const [method, more] of [
        ['DELETE', ''],
        ['POST', '/resend'],
      ] as const)
        expectProblem(await bob.send(method, `/organizations/${id}/invitations/${ofAnn.id}${more}`), { status: 403 })
      // Nor taken back by another in its place.
      expectProblem(await invite(bob, id, cleo.email, 'viewer'), { status: 403 })
      const { data } = (await ann.send('GET', `/organizations/${id}/invitations`)).body
      expect(data).toMatchObject([{ id: ofAnn.id, status: 'pending' }])
      expectProblem(await invite(ann, id, 'nobody'), { status: 422 })
    })

    test('a closed organization invites nobody any more', async () => {
      const { id } = await makeOrganization(ann)
      const { body } = await invite(ann, id, cleo.email)
      await ann.send('DELETE', `/organizations/${id}`, { headers: { 'if-match': '"1"' } })
      expect((await own(cleo)).map((each: { id: string }) => each.id)).not.toContain(body.id)
      expectProblem(await accept(cleo, body.id), { status: 410 })
    })

    test('names that look like links are not passed on by mail, and mails are limited', async () => {
      const tight = await startTestApp(app.db, { limits: { invitePerRecipient: { most: 2, windowMs: 3_600_000 } } })
      const zed = await verifiedActor(tight, undefined, 'https://evil.example')
      const { id } = await makeOrganization(zed, { name: 'Win at www.evil.example now' })
      const email = `${uuidv7()}@example.com`
      expect((await invite(zed, id, email)).status).toBe(201)
      const mail = await app.db.asJobs((tx) =>
        tx.selectFrom('mails').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow(),
      )
      expect(mail.subject + mail.bodyText + mail.bodyHtml).not.toContain('evil')
      expect((await invite(zed, id, email)).status).toBe(201)
      const third = await invite(zed, id, email)
      expectProblem(third, { status: 429, code: 'too_many_requests' })
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    })

    test('a month after it was over nothing is kept of it', async () => {
      const { id } = await makeOrganization(ann)
      await invite(ann, id, `${uuidv7()}@example.com`)
      const count = async () => (await ann.send('GET', `/organizations/${id}/invitations`)).body.data.length
      await purge(app.db, app.nowMs() + 36 * day)
      expect(await count()).toBe(1)
      await purge(app.db, app.nowMs() + 38 * day)
      expect(await count()).toBe(0)
    })
  })
})

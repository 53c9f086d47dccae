// Passkeys (WebAuthn, discoverable): made by a signed-in person, then good instead of email and password.
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { passkey, passkeys, withPassword, type Passkey } from '#shared/contract/account.ts'
import { passkeyAnswer, passkeyOptions, tokenPair } from '#shared/contract/auth.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Services } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Passkeys } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { giveBack, hashed, takeTurn } from '#server/http/limits.ts'
import { readerOf } from '#server/http/request.ts'
import { passkeyAddedMail, passkeyRemovedMail } from '#server/mail/templates.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { challengeOf, forgetAnswered, isRemembered, rememberChallenge, takeChallenge } from './challenges.ts'
import { inWords } from './devices.ts'
import { confirmOwnPassword, lockCaller, lockUser, prove, signIn, tellOwner, type AuthParts } from './parts.ts'

const mostPasskeys = 50

export function passkeyRoutes(parts: AuthParts): Route[] {
  return [
    endpoint('listPasskeys', { summary: 'My passkeys', answers: { 200: passkeys } }, async (call) => ({
      status: 200,
      body: { data: await call.services.db.asAuth((tx) => passkeysOf(tx, call.caller!.userId)) },
    })),

    endpoint(
      'startPasskey',
      { summary: 'Begin to add a passkey', body: withPassword, answers: { 200: passkeyOptions } },
      async (call) => {
        const user = await confirmOwnPassword(call, '/password', call.body.password)
        const own = await call.services.db.asAuth((tx) => rowsOf(tx, user.id))
        if (own.length >= mostPasskeys) throw fieldProblem('/password', `At most ${mostPasskeys} passkeys`)
        const options = await generateRegistrationOptions({
          rpName: 'Docket',
          rpID: rpId(call.services),
          userName: user.email,
          userDisplayName: user.name,
          userID: new TextEncoder().encode(user.id),
          attestationType: 'none',
          excludeCredentials: own.map(({ id, transports }) => ({ id, transports: transports as Transports })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        })
        await rememberChallenge(call, options.challenge, user.id)
        return { status: 200, body: { options } }
      },
    ),

    endpoint(
      'createPasskey',
      { summary: 'Add a passkey', body: passkeyAnswer, answers: { 201: passkey } },
      async (call) => {
        const { userId } = call.caller!
        const { publicUrl, db } = call.services
        const response = call.body.response as unknown as RegistrationResponseJSON
        const answerHash = hashed(JSON.stringify(response))
        const taken = await takeChallenge(call, challengeOf(response), userId, answerHash)
        if (taken === null) throw unchecked()
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response,
          expectedChallenge: challengeOf(response),
          expectedOrigin: publicUrl,
          expectedRPID: rpId(call.services),
          requireUserVerification: true,
        }).catch(() => ({ verified: false as const, registrationInfo: undefined }))
        if (!verified) throw unchecked()
        const { credential } = registrationInfo
        const { browser, system } = inWords(call.request.headers.get('user-agent') ?? '')
        const row: Omit<Passkeys, 'transports'> & { transports: string } = {
          id: credential.id,
          userId,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          counter: BigInt(credential.counter),
          transports: JSON.stringify(credential.transports ?? []),
          name: [browser, system].filter(Boolean).join(' on ') || 'Passkey',
          createdAt: call.now,
          lastUsedAt: null,
        }
        await db.asAuth(async (tx) => {
          const user = await lockCaller(tx, call)
          // Forgotten meanwhile: the passkey that it adds was removed.
          if (!(await isRemembered(tx, challengeOf(response)))) throw unchecked()
          const { numInsertedOrUpdatedRows } = await tx
            .insertInto('passkeys')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirstOrThrow()
          if (numInsertedOrUpdatedRows === 0n) {
            const known = await findPasskey(tx, row.id)
            if (taken === 'again' && known?.userId === userId) return
            throw new ProblemError('id_taken')
          }
          await tellOwner(tx, user, 'passkey-added', passkeyAddedMail(readerOf(call), user.name, row.name), call.now)
        })
        call.services.mailQueued()
        return { status: 201, body: toPasskey(row) }
      },
    ),

    endpoint('deletePasskey', { summary: 'Remove a passkey', answers: { 204: null } }, async (call) => {
      if (!isCredentialId(call.params['passkeyId']!)) throw new ProblemError('not_found')
      await call.services.db.asAuth(async (tx) => {
        const user = await lockCaller(tx, call)
        const removed = await tx
          .deleteFrom('passkeys')
          .where('id', '=', call.params['passkeyId']!)
          .where('userId', '=', call.caller!.userId)
          .returning('name')
          .executeTakeFirst()
        if (!removed) throw new ProblemError('not_found')
        // The answer that added it, sent once more, must not add it again.
        await forgetAnswered(tx, user.id)
        const notice = passkeyRemovedMail(readerOf(call), user.name, removed.name)
        await tellOwner(tx, user, 'passkey-removed', notice, call.now)
      })
      call.services.mailQueued()
      return { status: 204 }
    }),

    endpoint(
      'startPasskeyLogin',
      { summary: 'Begin to sign in with a passkey', answers: { 200: passkeyOptions } },
      async (call) => {
        const { db, limits } = call.services
        await db.asAuth((tx) => takeTurn(tx, `passkey ${call.address}`, limits.passkeyPerAddress, call.now))
        const options = await generateAuthenticationOptions({ rpID: rpId(call.services), userVerification: 'required' })
        await rememberChallenge(call, options.challenge, null)
        return { status: 200, body: { options } }
      },
    ),

    endpoint(
      'passkeyLogin',
      { summary: 'Sign in with a passkey', body: passkeyAnswer, answers: { 200: tokenPair } },
      async (call) => {
        const deviceKey = await prove(parts, call)
        const { db, limits, publicUrl } = call.services
        const response = call.body.response as unknown as AuthenticationResponseJSON
        // A sign-in may be repeated by the device that made it alone.
        const answerHash = deviceKey === null ? null : hashed(`${deviceKey} ${JSON.stringify(response)}`)
        const { turn, known } = await db.asAuth(async (tx) => ({
          turn: await takeTurn(tx, `sign-in address ${call.address}`, limits.signInPerAddress, call.now),
          known: await findPasskey(tx, response.id),
        }))
        if (!known) throw new ProblemError('invalid_credentials')
        const taken = await takeChallenge(call, challengeOf(response), null, answerHash)
        if (taken === null) throw new ProblemError('invalid_credentials')
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          expectedChallenge: challengeOf(response),
          expectedOrigin: publicUrl,
          expectedRPID: rpId(call.services),
          requireUserVerification: true,
          credential: {
            id: known.id,
            publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
            // The same answer once more counts no further.
            counter: taken === 'again' ? Math.max(0, Number(known.counter) - 1) : Number(known.counter),
            transports: known.transports as Transports,
          },
        }).catch(() => ({ verified: false as const, authenticationInfo: undefined }))
        if (!verified) throw new ProblemError('invalid_credentials')
        const pair = await db.asAuth(async (tx) => {
          // The person's row first, as whoever removes passkeys takes it: one that was removed meanwhile opens nothing.
          const user = await lockUser(tx, known.userId)
          if (user.disabledAt !== null) throw new ProblemError('invalid_credentials')
          const used = { counter: BigInt(authenticationInfo.newCounter), lastUsedAt: call.now }
          const { numUpdatedRows } = await tx
            .updateTable('passkeys')
            .set(used)
            .where('id', '=', known.id)
            // The same key may have been added to another account since.
            .where('userId', '=', known.userId)
            .where('publicKey', '=', known.publicKey)
            .executeTakeFirstOrThrow()
          if (numUpdatedRows === 0n) throw new ProblemError('invalid_credentials')
          await giveBack(tx, [turn])
          return signIn(parts, call, tx, user, deviceKey)
        })
        return { status: 200, body: pair }
      },
    ),
  ]
}

type Transports = AuthenticatorTransport[]

export async function passkeysOf(tx: Tx, userId: string): Promise<Passkey[]> {
  return (await rowsOf(tx, userId)).map(toPasskey)
}

function rowsOf(tx: Tx, userId: string) {
  return tx.selectFrom('passkeys').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()
}

async function findPasskey(tx: Tx, id: unknown) {
  if (typeof id !== 'string' || !isCredentialId(id)) return undefined
  return tx.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

function isCredentialId(text: string): boolean {
  return /^[\w-]{1,1400}$/.test(text)
}

function unchecked(): ProblemError {
  return fieldProblem('/response', 'This passkey could not be checked. Try again.')
}

function toPasskey({ id, name, createdAt, lastUsedAt }: Pick<Passkeys, keyof Passkey>): Passkey {
  return { id, name, createdAt, lastUsedAt }
}

/** Passkeys belong to the host that people see in the address bar. */
function rpId({ publicUrl }: Services): string {
  return new URL(publicUrl).hostname
}

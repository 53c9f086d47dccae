import type { Call } from '#server/context.ts'
import { takeTurn } from '#server/http/limits.ts'

/** A PDF may have to be drawn, and who has a link has no account: one place does not keep the drawing thread busy. */
export async function takePublicPdf({ services, address, now }: Call<unknown, unknown>): Promise<void> {
  await services.db.asAuth((tx) => takeTurn(tx, `public pdf ${address}`, services.limits.publicPdfPerAddress, now))
}

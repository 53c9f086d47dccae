// In which register a party stands: e-invoice rules of some countries want it named, or its number written in one way.
interface Register {
  /** Of the ICD list (ISO 6523); null where the number alone is wanted. */
  scheme: string | null
  number: RegExp
  /** What people write between the digits. */
  without?: RegExp
}

/** NL-R-003, NL-R-005 (KVK, OIN), DK-R-014 (CVR), IS-R-002, IS-R-004 (kennitala), SE-R-003 (digits alone). */
const registers: Readonly<Record<string, readonly Register[]>> = {
  NL: [
    { scheme: '0106', number: /^\d{8}$/ },
    { scheme: '0190', number: /^\d{20}$/ },
  ],
  DK: [{ scheme: '0184', number: /^(DK)?\d{8}$/ }],
  IS: [{ scheme: '0196', number: /^\d{10}$/, without: /[-\s]/g }],
  SE: [{ scheme: null, number: /^\d{10}$/, without: /[-\s]/g }],
}

export interface Registration {
  id: string
  scheme: string | null
}

/** A registration number (BT-30, BT-47) as an e-invoice writes it, with its register where the country's rules want it; null when there is none. */
export function registration(party: { registrationNumber: string | null; country: string }): Registration | null {
  const { registrationNumber, country } = party
  if (registrationNumber === null) return null
  for (const { scheme, number, without } of registers[country] ?? []) {
    const id = without ? registrationNumber.replace(without, '') : registrationNumber
    if (number.test(id)) return { id, scheme }
  }
  return { id: registrationNumber, scheme: null }
}

interface Known {
  vatNumber: string | null
  registrationNumber: string | null
  taxNumber?: string | null | undefined
}

/** What the tax office knows a seller by besides the VAT number (BT-32); who has no VAT number and gave none is known by the registration number. */
export function taxNumberOf({ vatNumber, registrationNumber, taxNumber }: Known): string | null {
  return taxNumber ?? (vatNumber === null ? registrationNumber : null)
}

/** Who is neither registered nor has a VAT number that may stand there is identified by the tax number (BT-29): one of the three must be there (BR-CO-26). */
export function identifierOf({ vatNumber, registrationNumber, taxNumber }: Known, withVat: boolean): string | null {
  const isKnown = registrationNumber !== null || (withVat && vatNumber !== null)
  return isKnown ? null : (taxNumber ?? null)
}

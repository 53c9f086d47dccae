import type { Mutant } from '#tests/soak/mutants.ts'
import type { Rule } from './watch.ts'

export const mutants: Record<string, Mutant<Rule>> = {}

// The form library bound to the design system: a field is a name, a label, and one of these controls.
import { createFormHook, createFormHookContexts } from '@tanstack/react-form'
import type { ComponentProps } from 'react'
import { SelectField, TextAreaField, TextField } from '#page/ui/field.tsx'
import { NumberField } from '#page/ui/number-field.tsx'

const { fieldContext, formContext, useFieldContext } = createFormHookContexts()

type Bound<Component extends (props: never) => unknown> = Omit<
  Parameters<Component>[0],
  'name' | 'value' | 'onChange' | 'onValue'
>

/** `lines[0].name` of the form library is `lines.0.name` here, as JSON pointers count. */
function useBound() {
  const field = useFieldContext<string>()
  return {
    name: field.name.replace(/\[(\d+)\]/g, '.$1'),
    value: field.state.value,
    onValue: (value: string) => field.handleChange(value),
  }
}

function Text(props: Bound<typeof TextField>) {
  const { onValue, ...bound } = useBound()
  return (
    <TextField
      {...(props as ComponentProps<typeof TextField>)}
      {...bound}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  )
}

function TextArea(props: Bound<typeof TextAreaField>) {
  const { onValue, ...bound } = useBound()
  return (
    <TextAreaField
      {...(props as ComponentProps<typeof TextAreaField>)}
      {...bound}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  )
}

function Select(props: Bound<typeof SelectField>) {
  const { onValue, ...bound } = useBound()
  return (
    <SelectField
      {...(props as ComponentProps<typeof SelectField>)}
      {...bound}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  )
}

function Decimal(props: Bound<typeof NumberField>) {
  return <NumberField {...(props as ComponentProps<typeof NumberField>)} {...useBound()} />
}

export const { useAppForm, withFieldGroup } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { Text, TextArea, Select, Decimal },
  formComponents: {},
})

import type { ComponentProps, ReactNode } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent font-semibold hover:brightness-110 active:brightness-95',
  plain: 'border border-line bg-surface text-ink hover:bg-raised',
  quiet: 'text-ink hover:bg-raised',
  danger: 'border border-danger text-danger hover:bg-danger-soft',
} as const

export type ButtonLook = keyof typeof looks

export function buttonClass(look: ButtonLook = 'plain', more = ''): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 py-2 text-base wrap-break-word no-underline disabled:opacity-60 ${looks[look]} ${more}`
}

interface Props extends ComponentProps<'button'> {
  look?: ButtonLook
  /** Under way: it cannot be pressed again. */
  busy?: boolean
  icon?: ReactNode
}

export function Button({
  look = 'plain',
  busy = false,
  icon,
  className = '',
  type = 'button',
  disabled,
  children,
  ...rest
}: Props) {
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}

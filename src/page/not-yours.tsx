import { Link } from '@tanstack/react-router'
import { text } from '#page/words/app-text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { Screen } from '#page/ui/screen.tsx'

/** In the place of a screen of an organization that the person is not in. Whoever was taken out of it may have stood in one of its forms. */
export function NotYours() {
  const { notYours, notYoursLead, title } = text.organizations
  return (
    <Screen title={notYours}>
      <p className="max-w-xl">{notYoursLead}</p>
      <div className="flex flex-wrap gap-3">
        <Link to="/dashboard/organizations" className={buttonClass('primary')}>
          {title}
        </Link>
        <Link to="/unsent" className={buttonClass()}>
          {text.unsent.title}
        </Link>
      </div>
    </Screen>
  )
}

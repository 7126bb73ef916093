import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn';
import { Link } from './Link';

const BUTTON =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0';
const VARIANTS = {
  // Where the system chooses the colours, only a border is left.
  primary:
    'border border-transparent bg-primary text-primary-foreground hover:bg-primary/90 disabled:bg-accent disabled:text-foreground',
  destructive:
    'border border-transparent bg-destructive-strong text-primary-foreground hover:bg-destructive-strong/90',
  outline: 'border border-border bg-card text-foreground hover:bg-accent',
  ghost: 'text-muted-foreground hover:bg-accent hover:text-foreground',
  link: 'text-muted-foreground hover:text-foreground',
};
/** On a phone each has the 44 px of a finger; what stands in a line reaches beyond it. */
const SIZES = {
  md: 'h-10 px-4 text-sm max-sm:min-h-11',
  sm: 'h-8 px-3 text-[13px] max-sm:min-h-11',
  icon: 'size-9 max-sm:min-h-11 max-sm:min-w-11',
  tiny: 'size-7 rounded-md! max-sm:-my-2 max-sm:min-h-11 max-sm:min-w-11 [&_svg]:size-3.5!',
  bare: 'max-sm:-my-2.5 max-sm:min-h-11',
};

interface Looks {
  variant?: keyof typeof VARIANTS | undefined;
  size?: keyof typeof SIZES | undefined;
  className?: string | undefined;
}

const classOf = ({ variant = 'outline', size = 'md', className }: Looks) =>
  cn(BUTTON, VARIANTS[variant], SIZES[size], className);

type ButtonProps = ComponentProps<'button'> & Looks;

export function Button({ className, variant, size, ...props }: ButtonProps) {
  return <button type="button" className={classOf({ variant, size, className })} {...props} />;
}

/** A link that looks like a button. */
export function ButtonLink({ className, variant, size, ...link }: ComponentProps<typeof Link> & Looks) {
  return <Link className={classOf({ variant, size, className })} {...link} />;
}

interface IconProps {
  icon: LucideIcon;
  label: string;
}

/** A button with only an icon: its label is its tooltip and its name for screen readers. */
export function IconButton({ icon: Icon, label, ...props }: ButtonProps & IconProps) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} {...props}>
      <Icon aria-hidden />
    </Button>
  );
}

/** A link that looks like one. */
export function IconLink({ icon: Icon, label, ...props }: ComponentProps<typeof Link> & IconProps) {
  return (
    <ButtonLink
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      className="aria-[current]:bg-card aria-[current]:text-foreground! aria-[current]:ring-1 aria-[current]:ring-border"
      {...props}
    >
      <Icon aria-hidden />
    </ButtonLink>
  );
}

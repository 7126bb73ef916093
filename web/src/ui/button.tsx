import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-arbitrator-strong text-on-strong hover:bg-arbitrator-strong/90',
        danger: 'bg-danger-strong text-on-strong hover:bg-danger-strong/90',
        outline: 'border border-line bg-surface text-ink hover:bg-hover',
        ghost: 'text-muted hover:bg-hover hover:text-ink',
        link: 'text-muted underline-offset-4 hover:text-ink hover:underline',
      },
      size: {
        md: 'h-10 px-4 text-sm',
        sm: 'h-8 px-3 text-[13px]',
        icon: 'size-9',
        tiny: 'size-7 rounded-md [&_svg]:size-3.5',
        bare: '',
      },
    },
    defaultVariants: { variant: 'outline', size: 'md' },
  },
);

export type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonVariants>;

export function Button({ className, variant, size, ...props }: ButtonProps) {
  return <button type="button" className={cn(buttonVariants({ variant, size }), className)} {...props} />;
}

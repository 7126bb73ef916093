import {
  BotMessageSquare,
  CircleCheckBig,
  Gavel,
  Hand,
  type LucideIcon,
  MessageSquareText,
  Milestone,
  Scale,
  Swords,
  UserRound,
} from 'lucide-react';
import type { Role } from '@/api/types';
import type { Tone } from './badge';
import { cn } from './cn';

type RoleTone = Extract<Tone, Role | 'quiet'>;

interface RoleStyle {
  icon: LucideIcon;
  tone: RoleTone;
  text: string;
  avatar: string;
  card: string;
  /** Background of a badge on the card. */
  badge?: string;
}

/** Roles differ in colour, icon and indentation, so that no reader depends on one of them. */
const ROLE_STYLES: Record<Role, RoleStyle> = {
  proposer: {
    icon: BotMessageSquare,
    tone: 'proposer',
    text: 'text-proposer',
    avatar: 'bg-proposer-soft text-proposer',
    card: 'mr-6 sm:mr-14 bg-card border-border before:bg-proposer',
  },
  opponent: {
    icon: Swords,
    tone: 'opponent',
    text: 'text-opponent',
    avatar: 'bg-opponent-soft text-opponent',
    card: 'ml-6 sm:ml-14 bg-card border-border before:bg-opponent',
  },
  arbitrator: {
    icon: UserRound,
    tone: 'arbitrator',
    text: 'text-arbitrator',
    avatar: 'bg-chip text-arbitrator',
    card: 'bg-arbitrator-soft border-arbitrator/25 before:bg-arbitrator',
    badge: 'bg-chip!',
  },
};

const UNKNOWN_ROLE: RoleStyle = { ...ROLE_STYLES.arbitrator, tone: 'quiet', text: 'text-muted-foreground' };

export function roleStyle(role: string): RoleStyle {
  return Object.hasOwn(ROLE_STYLES, role) ? ROLE_STYLES[role as Role] : UNKNOWN_ROLE;
}

const TYPE_ICONS: Record<string, LucideIcon> = {
  MOTION: Milestone,
  CLAIM: MessageSquareText,
  APPEAL: Scale,
  RESOLUTION: CircleCheckBig,
  INTERVENTION: Hand,
  RULING: Gavel,
};

export function typeIcon(type: string): LucideIcon {
  return TYPE_ICONS[type] ?? MessageSquareText;
}

export function stateTone(state: string): RoleTone {
  if (state === 'AWAITING_PROPOSER') return 'proposer';
  if (state === 'AWAITING_OPPONENT') return 'opponent';
  return state === 'CLOSED' ? 'quiet' : 'arbitrator';
}

/** What a side says, beside or above what the other one does. */
export const sideStyle = (role: string) =>
  cn(
    'min-w-0 border-l-2 pl-3 text-sm max-sm:text-[13px]',
    role === 'opponent' ? 'border-opponent' : 'border-proposer',
  );

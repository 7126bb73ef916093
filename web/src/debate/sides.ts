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
import type { Role, StateName } from '@/api/types';
import type { Tone } from '@/ui/badge';

interface SideLook {
  icon: LucideIcon;
  tone: Tone;
  text: string;
  avatar: string;
  card: string;
  /** What sets a badge off from the card. */
  badge?: string;
}

/** Colour, icon and place: any one of them alone is enough to tell the sides apart. */
const LOOKS: Record<Role, SideLook> = {
  proposer: {
    icon: BotMessageSquare,
    tone: 'proposer',
    text: 'text-proposer',
    avatar: 'bg-proposer-soft text-proposer',
    card: 'mr-6 sm:mr-14 bg-surface border-line before:bg-proposer',
  },
  opponent: {
    icon: Swords,
    tone: 'opponent',
    text: 'text-opponent',
    avatar: 'bg-opponent-soft text-opponent',
    card: 'ml-6 sm:ml-14 bg-surface border-line before:bg-opponent',
  },
  arbitrator: {
    icon: UserRound,
    tone: 'arbitrator',
    text: 'text-arbitrator',
    avatar: 'bg-surface text-arbitrator',
    card: 'bg-arbitrator-soft border-arbitrator/25 before:bg-arbitrator',
    badge: 'bg-surface',
  },
};

const STRANGER: SideLook = { ...LOOKS.arbitrator, tone: 'quiet', text: 'text-muted' };

export function lookOf(role: string): SideLook {
  return Object.hasOwn(LOOKS, role) ? LOOKS[role as Role] : STRANGER;
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

/** Who is expected to write next, for showing only: what is allowed the server decides. */
export const TURN: Record<StateName, Role | null> = {
  AWAITING_OPPONENT: 'opponent',
  AWAITING_PROPOSER: 'proposer',
  AWAITING_ARBITRATOR: 'arbitrator',
  INTERVENTION_PENDING: 'arbitrator',
  CLOSED: null,
};

export function stateTone(state: string): Tone {
  if (state === 'AWAITING_PROPOSER') return 'proposer';
  if (state === 'AWAITING_OPPONENT') return 'opponent';
  return state === 'CLOSED' ? 'quiet' : 'arbitrator';
}

import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon";
import type { IconName } from "./iconPaths";

/** What a button looks like. */
export type ButtonKind = "plain" | "primary" | "danger" | "quiet";

interface ButtonProps extends Omit<ComponentProps<"button">, "children"> {
  kind?: ButtonKind;
  icon?: IconName;
  /** Why it cannot be pressed now: it can still be reached, and says so. */
  refusal?: string | undefined;
  isBusy?: boolean;
  /** Keys that do the same, shown behind the word. */
  keys?: string;
  children?: ReactNode;
}

/** A button. One that cannot be pressed stays reachable and says why. */
export function Button({
  kind = "plain",
  icon,
  refusal,
  isBusy,
  keys,
  children,
  onClick,
  className,
  ...rest
}: ButtonProps) {
  const isOff = refusal !== undefined || isBusy === true;
  return (
    <button
      type="button"
      className={`button ${kind}${className ? ` ${className}` : ""}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      title={refusal}
      onClick={(event) => {
        if (isOff) {
          event.preventDefault();
        } else {
          onClick?.(event);
        }
      }}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
      {keys && <kbd aria-hidden="true">{keys}</kbd>}
    </button>
  );
}

/** A button of one drawing; its name is read and shown as a hint. */
export function IconButton({
  name,
  icon,
  ...rest
}: Omit<ButtonProps, "children" | "icon"> & { name: string; icon: IconName }) {
  return <Button kind="quiet" icon={icon} aria-label={name} title={name} {...rest} />;
}

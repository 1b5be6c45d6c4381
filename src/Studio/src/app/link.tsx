import { useRouter } from "@tanstack/react-router";
import type { ComponentProps } from "react";

/** A link to a place of the Studio: a click goes there without loading the page, any other click is the browser's. */
export function Link({ href, onClick, ...rest }: ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  return (
    <a
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (isPlain && !event.defaultPrevented) {
          event.preventDefault();
          router.history.push(href);
        }
      }}
      {...rest}
    />
  );
}

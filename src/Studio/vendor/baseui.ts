export { Dialog } from "@base-ui/react/dialog";
export { Menu } from "@base-ui/react/menu";
export { Tabs } from "@base-ui/react/tabs";

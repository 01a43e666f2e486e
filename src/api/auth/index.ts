import { createRouter } from "../router.ts";
import { getRegistration } from "./get-registration.ts";
import { logIn } from "./log-in.ts";
import { logOut } from "./log-out.ts";
import { register } from "./register.ts";

export const auth = createRouter();

for (const endpoint of [getRegistration, register, logIn, logOut]) auth.route("/", endpoint);

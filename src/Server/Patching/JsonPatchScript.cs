namespace Raven.Server.Patching;

/// <summary>JSON Patch (RFC 6902) as a script over <c>args.operations</c>.</summary>
internal static class JsonPatchScript
{
    internal const string Text =
        """
        const fail = text => { throw new Error(`JSON Patch: ${text}`); };
        const parse = path => {
            if (typeof path !== 'string' || (path !== '' && path[0] !== '/')) { fail(`'${path}' is not a path`); }
            if (/~(?![01])/.test(path)) { fail(`'${path}' is not a path: behind ~ stands 0 or 1`); }
            return path.split('/').slice(1).map(part => part.replace(/~1/g, '/').replace(/~0/g, '~'));
        };
        const isIndex = name => /^(0|[1-9][0-9]*)$/.test(name);
        const has = (target, name) => target !== null && typeof target === 'object'
            && (!Array.isArray(target) || isIndex(name)) && Object.prototype.hasOwnProperty.call(target, name);
        const walk = (document, parts, path) => {
            let target = document;
            for (const part of parts) {
                if (!has(target, part)) { fail(`there is nothing at '${path}'`); }
                target = target[part];
            }
            return target;
        };
        const parentOf = (document, path) => {
            const parts = parse(path);
            if (parts.length === 0) { fail('the whole document cannot be replaced'); }
            const name = parts.pop();
            const parent = walk(document, parts, path);
            if (parent === null || typeof parent !== 'object') { fail(`there is nothing at '${path}'`); }
            return { parent, name };
        };
        const indexOf = (list, name, last) => {
            if (!isIndex(name) || Number(name) > last) { fail(`'${name}' is no index here`); }
            return Number(name);
        };
        const add = (document, path, value) => {
            const { parent, name } = parentOf(document, path);
            if (Array.isArray(parent)) {
                parent.splice(name === '-' ? parent.length : indexOf(parent, name, parent.length), 0, value);
            } else {
                parent[name] = value;
            }
        };
        const remove = (document, path) => {
            const { parent, name } = parentOf(document, path);
            if (!has(parent, name)) { fail(`there is nothing at '${path}'`); }
            const value = parent[name];
            if (Array.isArray(parent)) {
                parent.splice(indexOf(parent, name, parent.length - 1), 1);
            } else {
                delete parent[name];
            }
            return value;
        };
        const same = (left, right) => {
            if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') {
                return left === right;
            }
            const names = Object.keys(left);
            return Array.isArray(left) === Array.isArray(right) && names.length === Object.keys(right).length
                && names.every(name => has(right, name) && same(left[name], right[name]));
        };
        const needed = {
            add: ['value'], replace: ['value'], test: ['value'], move: ['from'], copy: ['from'], remove: []
        };
        const check = operation => {
            const names = Object.prototype.hasOwnProperty.call(needed, operation.op) ? needed[operation.op] : null;
            if (names === null) { fail(`'${operation.op}' is no operation`); }
            for (const name of ['path', ...names]) {
                if (!has(operation, name)) { fail(`'${operation.op}' needs '${name}'`); }
            }
        };
        const copyOf = value => value === undefined ? undefined : JSON.parse(JSON.stringify(value));
        for (const one of args.operations) {
            const operation = {};
            if (one === null || typeof one !== 'object') { fail('an operation is an object'); }
            for (const name of Object.keys(one)) { operation[name.toLowerCase()] = one[name]; }
            check(operation);
            switch (operation.op) {
                case 'add': add(this, operation.path, operation.value); break;
                case 'remove': remove(this, operation.path); break;
                case 'replace': {
                    const { parent, name } = parentOf(this, operation.path);
                    if (!has(parent, name)) { fail(`there is nothing at '${operation.path}'`); }
                    parent[name] = operation.value;
                    break;
                }
                case 'move':
                    parse(operation.path);
                    if (operation.path.startsWith(operation.from + '/')) { fail('a value cannot move into itself'); }
                    add(this, operation.path, remove(this, operation.from));
                    break;
                case 'copy':
                    add(this, operation.path, copyOf(walk(this, parse(operation.from), operation.from)));
                    break;
                case 'test':
                    if (!same(walk(this, parse(operation.path), operation.path), operation.value)) {
                        fail(`the value at '${operation.path}' is another one`);
                    }
                    break;
            }
        }
        """;
}

using Raven.Documents.Commands;

namespace Raven.Documents.Patching;

/// <summary>JSON Patch (RFC 6902) as a script over <c>args.operations</c>.</summary>
internal static class JsonPatchScript
{
    internal static readonly string Text =
        $$$"""
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
        const added = ['{{{string.Join("', '", ServerMetadata.OfDocuments)}}}'];

        // Members and not values, as one double stands for several long numbers.
        const same = (left, leftName, right, rightName) => {
            const isSame = sameNumber(left, leftName, right, rightName);
            if (isSame !== null) { return isSame; }
            const a = left[leftName];
            const b = right[rightName];
            if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') { return a === b; }
            // What the server adds to the metadata is there for those who ask for it, and no difference for others.
            const isMetadata = left === this && leftName === '@metadata';
            const namesOf = (one, other) =>
                Object.keys(one).filter(name => !isMetadata || has(other, name) || !added.includes(name));
            const names = namesOf(a, b);
            return Array.isArray(a) === Array.isArray(b) && names.length === namesOf(b, a).length
                && names.every(name => has(b, name) && same(a, name, b, name));
        };
        const test = (document, path, right, rightName) => {
            const parts = parse(path);
            const isWhole = parts.length === 0;
            const name = isWhole ? 'document' : parts.pop();
            const parent = isWhole ? { document } : walk(document, parts, path);
            if (!has(parent, name)) { fail(`there is nothing at '${path}'`); }
            if (!same(parent, name, right, rightName)) { fail(`the value at '${path}' is another one`); }
        };
        const needed = {
            add: ['value'], replace: ['value'], test: ['value'], move: ['from'], copy: ['from'], remove: []
        };
        const check = (op, names) => {
            if (!has(needed, op)) { fail(`'${op}' is no operation`); }
            for (const name of ['path', ...needed[op]]) {
                if (!has(names, name)) { fail(`'${op}' needs '${name}'`); }
            }
        };
        const copyOf = value => value === undefined ? undefined : JSON.parse(JSON.stringify(value));
        for (const one of args.operations) {
            const names = {};
            if (one === null || typeof one !== 'object') { fail('an operation is an object'); }
            // Names alone: a number that is only tested is not read, so that it is never taken for one that is set.
            for (const name of Object.getOwnPropertyNames(one)) { names[name.toLowerCase()] = name; }
            const of = name => has(names, name) ? one[names[name]] : undefined;
            const op = of('op');
            check(op, names);
            const path = of('path');
            switch (op) {
                case 'add': add(this, path, of('value')); break;
                case 'remove': remove(this, path); break;
                case 'replace': {
                    const { parent, name } = parentOf(this, path);
                    if (!has(parent, name)) { fail(`there is nothing at '${path}'`); }
                    parent[name] = of('value');
                    break;
                }
                case 'move':
                    parse(path);
                    if (path.startsWith(of('from') + '/')) { fail('a value cannot move into itself'); }
                    add(this, path, remove(this, of('from')));
                    break;
                case 'copy':
                    add(this, path, copyOf(walk(this, parse(of('from')), of('from'))));
                    break;
                case 'test': test(this, path, one, names.value); break;
            }
        }
        """;
}

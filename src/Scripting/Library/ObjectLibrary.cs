using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>Object (ECMA-262, 20.1).</summary>
internal static class ObjectLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.ObjectPrototype;
        NativeFunction constructor = builder.Constructor(
            "Object", 1, prototype,
            (run, _, arguments) => Make(run, arguments),
            (run, arguments, newTarget) => newTarget is ScriptFunction
                ? new JsValue(new JsObject(Objects.PrototypeFrom(run, newTarget, prototype))) : Make(run, arguments));
        BuildPrototype(builder, prototype);
        BuildKeys(builder, constructor);
        BuildDefinitions(builder, constructor);
        builder.Method(constructor, "freeze", 1, (run, _, a) => Restrict(run, a.At(0), frozen: true));
        builder.Method(constructor, "seal", 1, (run, _, a) => Restrict(run, a.At(0), frozen: false));
        builder.Method(constructor, "preventExtensions", 1, (_, _, a) =>
        {
            if (a.At(0).AsObject is { } target && (target.Flags & ObjectFlags.Immutable) == 0)
            {
                target.Flags |= ObjectFlags.NotExtensible;
            }

            return a.At(0);
        });
        builder.Method(constructor, "isExtensible", 1, (_, _, a) =>
            JsValue.Of(a.At(0).AsObject is { Extensible: true }));
        builder.Method(constructor, "isFrozen", 1, (run, _, a) => JsValue.Of(IsRestricted(run, a.At(0), frozen: true)));
        builder.Method(constructor, "isSealed", 1, (run, _, a) =>
            JsValue.Of(IsRestricted(run, a.At(0), frozen: false)));
        builder.Method(constructor, "is", 2, (run, _, a) =>
        {
            Operations.ChargeComparison(run, a.At(0), a.At(1));
            return JsValue.Of(Operations.SameValue(a.At(0), a.At(1)));
        });
    }

    private static JsValue Make(Run run, ReadOnlySpan<JsValue> arguments) =>
        new(arguments.At(0).IsNullish ? run.NewObject() : Operations.ToObject(run, arguments[0]));

    private static void BuildPrototype(RealmBuilder builder, JsObject prototype)
    {
        builder.Method(prototype, "hasOwnProperty", 1, (run, self, a) =>
        {
            object key = PropertyKeys.Of(run, a.At(0));
            return JsValue.Of(Operations.ToObject(run, self).HasOwn(run, key));
        });
        builder.Method(prototype, "isPrototypeOf", 1, (run, self, a) =>
        {
            JsObject holder = Operations.ToObject(run, self);
            for (JsObject? one = a.At(0).AsObject?.Prototype; one is not null; one = one.Prototype)
            {
                if (one == holder)
                {
                    return JsValue.True;
                }
            }

            return JsValue.False;
        });
        builder.Method(prototype, "propertyIsEnumerable", 1, (run, self, a) =>
            JsValue.Of(Operations.ToObject(run, self).TryGetOwn(run, PropertyKeys.Of(run, a.At(
                0)), out Property property)
                && property.Is(PropertyFlags.Enumerable)));
        builder.Method(prototype, "valueOf", 0, (run, self, _) => new JsValue(Operations.ToObject(run, self)));
        builder.Method(prototype, "toLocaleString", 0, (run, self, _) => run.Invoke(self, "toString", []));
        builder.Method(prototype, "toString", 0, (run, self, _) => run.NewString(TypeText(run, self)));
        builder.Run.Realm.ObjectPrototype.Define(
            builder.Run, "__proto__", new JsValue(new Accessor(
                builder.Function("get __proto__", 0, (run, self, _) => PrototypeOf(run, self)),
                builder.Function("set __proto__", 1, (run, self, a) =>
                {
                    if (self.IsObject && (a.At(0).IsObject || a.At(0).IsNull))
                    {
                        SetPrototype(run, self.Object, a.At(0).AsObject);
                    }

                    return JsValue.Undefined;
                }))), PropertyFlags.Configurable);
    }

    private static JsValue PrototypeOf(Run run, JsValue value)
    {
        JsObject? prototype = value.IsObject || value.IsNullish
            ? Operations.ToObject(run, value).Prototype : run.Realm.PrototypeOf(value);
        return prototype is null ? JsValue.Null : new JsValue(prototype);
    }

    private static void SetPrototype(Run run, JsObject target, JsObject? prototype)
    {
        if (target.Prototype == prototype)
        {
            return;
        }

        if (!target.Extensible)
        {
            throw run.TypeError("#<Object> is not extensible");
        }

        for (JsObject? one = prototype; one is not null; one = one.Prototype)
        {
            run.Step();
            if (one == target)
            {
                throw run.TypeError("Cyclic __proto__ value");
            }
        }

        target.Prototype = prototype;
    }

    private static string TypeText(Run run, JsValue self)
    {
        if (self.IsNullish)
        {
            return self.IsNull ? "[object Null]" : "[object Undefined]";
        }

        JsObject target = Operations.ToObject(run, self);
        JsValue tag = target.Get(run, JsSymbol.ToStringTag);
        return tag.IsString ? $"[object {tag.String.Flat}]" : target.Class switch
        {
            ObjectClass.Array => "[object Array]",
            ObjectClass.Function => "[object Function]",
            ObjectClass.Error => "[object Error]",
            ObjectClass.Boolean => "[object Boolean]",
            ObjectClass.Number => "[object Number]",
            ObjectClass.String => "[object String]",
            ObjectClass.Date => "[object Date]",
            ObjectClass.RegExp => "[object RegExp]",
            ObjectClass.Arguments => "[object Arguments]",
            _ => "[object Object]",
        };
    }

    private static void BuildKeys(RealmBuilder builder, JsObject constructor)
    {
        builder.Method(constructor, "keys", 1, (run, _, a) =>
            List(run, a.At(0), (_, _, name) => JsValue.Of(name)));
        builder.Method(constructor, "values", 1, (run, _, a) =>
            List(run, a.At(0), (inner, target, name) => target.Get(inner, name)));
        builder.Method(constructor, "entries", 1, (run, _, a) =>
            List(run, a.At(0), (inner, target, name) => Pair(inner, JsValue.Of(name), target.Get(inner, name))));
        builder.Method(constructor, "assign", 2, (run, _, a) =>
        {
            JsObject target = Operations.ToObject(run, a.At(0));
            for (int i = 1; i < a.Length; i++)
            {
                Assign(run, target, a[i]);
            }

            return new JsValue(target);
        });
        builder.Method(constructor, "fromEntries", 1, (run, _, a) =>
        {
            JsObject target = run.NewObject();
            ValueIterator iterator = ValueIterator.Open(run, a.At(0));
            while (iterator.MoveNext(run, out JsValue pair))
            {
                run.Step();
                JsObject entry = pair.AsObject
                    ?? throw run.TypeError($"Iterator value {Describe.Value(pair)} is not an entry object");
                object key = PropertyKeys.Of(run, entry.GetIndex(run, 0));
                target.Define(run, key, entry.GetIndex(run, 1), PropertyFlags.All);
            }

            return new JsValue(target);
        });
        builder.Method(constructor, "getOwnPropertyNames", 1, (run, _, a) => OwnKeys(run, a.At(0), symbols: false));
        builder.Method(constructor, "getOwnPropertySymbols", 1, (run, _, a) => OwnKeys(run, a.At(0), symbols: true));
        builder.Method(constructor, "hasOwn", 2, (run, _, a) =>
            JsValue.Of(Operations.ToObject(run, a.At(0)).HasOwn(run, PropertyKeys.Of(run, a.At(1)))));
    }

    internal static JsValue Pair(Run run, JsValue first, JsValue second) => new(run.NewArray([first, second], 2));

    private static JsValue List(Run run, JsValue source, Func<Run, JsObject, string, JsValue> select)
    {
        JsObject target = Operations.ToObject(run, source);
        JsArray result = run.NewArray();
        foreach (string name in Objects.EnumerableNames(run, target))
        {
            result.Add(run, select(run, target, name));
        }

        return new JsValue(result);
    }

    private static JsValue OwnKeys(Run run, JsValue source, bool symbols)
    {
        JsArray result = run.NewArray();
        foreach (object key in Objects.OwnKeys(run, Operations.ToObject(run, source)))
        {
            if (key is JsSymbol == symbols)
            {
                result.Add(run, PropertyKeys.ToValue(key));
            }
        }

        return new JsValue(result);
    }

    private static void Assign(Run run, JsObject target, JsValue source)
    {
        if (source.IsNullish)
        {
            return;
        }

        JsObject from = Operations.ToObject(run, source);
        foreach (object key in Objects.OwnKeys(run, from))
        {
            run.Step();
            if (from.TryGetOwn(run, key, out Property property) && property.Is(PropertyFlags.Enumerable))
            {
                Objects.Put(run, target, key, from.Get(run, key));
            }
        }
    }

    private static void BuildDefinitions(RealmBuilder builder, JsObject constructor)
    {
        builder.Method(constructor, "create", 2, (run, _, a) =>
        {
            if (!a.At(0).IsObject && !a.At(0).IsNull)
            {
                throw run.TypeError($"Object prototype may only be an Object or null: {Describe.Value(a.At(0))}");
            }

            run.ChargeBytes(88);
            JsObject target = new(a.At(0).AsObject);
            DefineAll(run, target, a.At(1));
            return new JsValue(target);
        });
        builder.Method(constructor, "getPrototypeOf", 1, (run, _, a) => PrototypeOf(run, a.At(0)));
        builder.Method(constructor, "setPrototypeOf", 2, (run, _, a) =>
        {
            if (a.At(0).AsObject is { } target)
            {
                SetPrototype(run, target, a.At(1).AsObject);
            }

            return a.At(0);
        });
        builder.Method(constructor, "defineProperty", 3, (run, _, a) =>
        {
            JsObject target = a.At(0).AsObject ?? throw run.TypeError("Object.defineProperty called on non-object");
            Descriptors.Define(run, target, PropertyKeys.Of(run, a.At(1)), a.At(2));
            return a.At(0);
        });
        builder.Method(constructor, "defineProperties", 2, (run, _, a) =>
        {
            JsObject target = a.At(0).AsObject ?? throw run.TypeError("Object.defineProperties called on non-object");
            DefineAll(run, target, a.At(1));
            return a.At(0);
        });
        builder.Method(constructor, "getOwnPropertyDescriptor", 2, (run, _, a) =>
        {
            JsObject target = Operations.ToObject(run, a.At(0));
            return target.TryGetOwn(run, PropertyKeys.Of(run, a.At(1)), out Property property)
                ? Descriptors.ToValue(run, property) : JsValue.Undefined;
        });
        builder.Method(constructor, "getOwnPropertyDescriptors", 1, (run, _, a) =>
        {
            JsObject target = Operations.ToObject(run, a.At(0));
            JsObject result = run.NewObject();
            foreach (object key in Objects.OwnKeys(run, target))
            {
                target.TryGetOwn(run, key, out Property property);
                result.Define(run, key, Descriptors.ToValue(run, property), PropertyFlags.All);
            }

            return new JsValue(result);
        });
    }

    private static void DefineAll(Run run, JsObject target, JsValue descriptors)
    {
        if (descriptors.IsUndefined)
        {
            return;
        }

        JsObject source = Operations.ToObject(run, descriptors);
        foreach (object key in Objects.OwnKeys(run, source))
        {
            if (source.TryGetOwn(run, key, out Property property) && property.Is(PropertyFlags.Enumerable))
            {
                Descriptors.Define(run, target, key, source.Get(run, key));
            }
        }
    }

    private static JsValue Restrict(Run run, JsValue value, bool frozen)
    {
        if (value.AsObject is { } target && (target.Flags & ObjectFlags.Immutable) == 0)
        {
            target.Restrict(run, frozen);
        }

        return value;
    }

    private static bool IsRestricted(Run run, JsValue value, bool frozen)
    {
        if (value.AsObject is not { } target)
        {
            return true;
        }

        if ((target.Flags & ObjectFlags.Immutable) != 0)
        {
            return true;
        }

        if (target.Extensible)
        {
            return false;
        }

        foreach (object key in Objects.OwnKeys(run, target))
        {
            if (target.TryGetOwn(run, key, out Property property) && (property.Is(PropertyFlags.Configurable)
                || (frozen && !property.Value.IsAccessor && property.Is(PropertyFlags.Writable))))
            {
                if (!(target.Class == ObjectClass.Array && key is "length"))
                {
                    return false;
                }
            }
        }

        return true;
    }
}

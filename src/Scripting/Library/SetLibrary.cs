using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>
/// The functions of Set that take another set (ECMA-262, 24.2.4): anything with a size, has and keys.
/// </summary>
internal static class SetLibrary
{
    private delegate JsValue Combine(Run run, JsCollection set, Other other);

    internal static void Build(RealmBuilder builder)
    {
        Method(builder, "union", Union);
        Method(builder, "intersection", Intersection);
        Method(builder, "difference", Difference);
        Method(builder, "symmetricDifference", SymmetricDifference);
        Method(builder, "isSubsetOf", (run, set, other) => JsValue.Of(IsSubset(run, set, other)));
        Method(builder, "isSupersetOf", (run, set, other) => JsValue.Of(IsSuperset(run, set, other)));
        Method(builder, "isDisjointFrom", (run, set, other) => JsValue.Of(IsDisjoint(run, set, other)));
    }

    private static void Method(RealmBuilder builder, string name, Combine combine) =>
        builder.Method(builder.Realm.SetPrototype, name, 1, (run, self, a) =>
        {
            JsCollection set = self.AsObject is JsCollection { Class: ObjectClass.Set } found ? found
                : throw run.TypeError("The receiver is not a Set");
            return combine(run, set, Other.Open(run, a.At(0)));
        });

    private static JsValue Union(Run run, JsCollection set, Other other)
    {
        JsCollection result = CopyOf(run, set);
        ValueIterator keys = other.Keys(run);
        while (keys.MoveNext(run, out JsValue key))
        {
            run.Step();
            result.Put(run, key, key);
        }

        return new JsValue(result);
    }

    private static JsValue Intersection(Run run, JsCollection set, Other other)
    {
        JsCollection result = New(run);
        if (set.Count <= other.Size)
        {
            for (int at = 0; set.MoveNext(ref at, out JsValue key, out _);)
            {
                if (other.Has(run, key))
                {
                    result.Put(run, key, key);
                }
            }

            return new JsValue(result);
        }

        ValueIterator keys = other.Keys(run);
        while (keys.MoveNext(run, out JsValue key))
        {
            run.Step();
            if (set.Find(run, key) >= 0)
            {
                result.Put(run, key, key);
            }
        }

        return new JsValue(result);
    }

    private static JsValue Difference(Run run, JsCollection set, Other other)
    {
        JsCollection result = CopyOf(run, set);
        if (set.Count <= other.Size)
        {
            for (int at = 0; set.MoveNext(ref at, out JsValue key, out _);)
            {
                if (other.Has(run, key))
                {
                    result.Remove(run, key);
                }
            }

            return new JsValue(result);
        }

        ValueIterator keys = other.Keys(run);
        while (keys.MoveNext(run, out JsValue key))
        {
            run.Step();
            result.Remove(run, key);
        }

        return new JsValue(result);
    }

    private static JsValue SymmetricDifference(Run run, JsCollection set, Other other)
    {
        ValueIterator keys = other.Keys(run);
        JsCollection result = CopyOf(run, set);
        while (keys.MoveNext(run, out JsValue key))
        {
            run.Step();
            if (set.Find(run, key) >= 0)
            {
                result.Remove(run, key);
            }
            else
            {
                result.Put(run, key, key);
            }
        }

        return new JsValue(result);
    }

    private static bool IsSubset(Run run, JsCollection set, Other other)
    {
        if (set.Count > other.Size)
        {
            return false;
        }

        for (int at = 0; set.MoveNext(ref at, out JsValue key, out _);)
        {
            if (!other.Has(run, key))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsSuperset(Run run, JsCollection set, Other other) =>
        set.Count >= other.Size && AllKeys(run, other, key => set.Find(run, key) >= 0);

    private static bool IsDisjoint(Run run, JsCollection set, Other other)
    {
        if (set.Count > other.Size)
        {
            return AllKeys(run, other, key => set.Find(run, key) < 0);
        }

        for (int at = 0; set.MoveNext(ref at, out JsValue key, out _);)
        {
            if (other.Has(run, key))
            {
                return false;
            }
        }

        return true;
    }

    private static bool AllKeys(Run run, Other other, Predicate<JsValue> condition)
    {
        ValueIterator keys = other.Keys(run);
        while (keys.MoveNext(run, out JsValue key))
        {
            run.Step();
            if (!condition(key))
            {
                keys.Close(run);
                return false;
            }
        }

        return true;
    }

    private static JsCollection New(Run run)
    {
        run.ChargeBytes(250);
        return new JsCollection(run.Realm.SetPrototype, ObjectClass.Set);
    }

    private static JsCollection CopyOf(Run run, JsCollection set)
    {
        JsCollection copy = New(run);
        for (int at = 0; set.MoveNext(ref at, out JsValue key, out _);)
        {
            run.Step();
            copy.Put(run, key, key);
        }

        return copy;
    }

    /// <summary>What the functions use of their argument, read once in the order of the language.</summary>
    private sealed class Other(JsValue target, double size, JsFunction has, JsFunction keys)
    {
        internal double Size => size;

        internal static Other Open(Run run, JsValue value)
        {
            JsObject target = value.AsObject ?? throw run.TypeError($"{Describe.Value(value)} is not a set");
            double size = Operations.ToNumber(run, target.Get(run, "size"));
            if (double.IsNaN(size))
            {
                throw run.TypeError("The 'size' property must be a number");
            }

            size = Math.Truncate(size);
            if (size < 0)
            {
                throw run.RangeError($"'{Describe.Value(new JsValue(size))}' is an invalid size");
            }

            JsFunction has = target.Get(run, "has").AsFunction
                ?? throw run.TypeError("The 'has' property must be a function");
            JsFunction keys = target.Get(run, "keys").AsFunction
                ?? throw run.TypeError("The 'keys' property must be a function");
            return new Other(value, size, has, keys);
        }

        internal bool Has(Run run, JsValue key)
        {
            run.Step();
            return Operations.ToBoolean(has.Call(run, target, [key]));
        }

        internal ValueIterator Keys(Run run) => ValueIterator.OpenBy(run, target, keys);
    }
}

using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>Object.groupBy and Map.groupBy (ECMA-262, 20.1.2.13 and 24.1.2.1).</summary>
internal static class GroupLibrary
{
    private delegate void Add(Run run, JsValue key, JsValue item);

    internal static void Build(RealmBuilder builder)
    {
        builder.Method(builder.GlobalObject("Object"), "groupBy", 2, (run, _, a) =>
        {
            run.ChargeBytes(88);
            JsObject groups = new(null);
            Group(run, a.At(0), a.At(1), (inner, key, item) => AddToObject(inner, groups, key, item));
            return new JsValue(groups);
        });
        builder.Method(builder.GlobalObject("Map"), "groupBy", 2, (run, _, a) =>
        {
            run.ChargeBytes(250);
            JsCollection groups = new(run.Realm.MapPrototype, ObjectClass.Map);
            Group(run, a.At(0), a.At(1), (inner, key, item) => AddToMap(inner, groups, key, item));
            return new JsValue(groups);
        });
    }

    private static void AddToObject(Run run, JsObject groups, JsValue key, JsValue item)
    {
        object name = PropertyKeys.Of(run, key);
        if (groups.TryGetOwn(run, name, out Property known))
        {
            ((JsArray)known.Value.Object).Add(run, item);
        }
        else
        {
            groups.Define(run, name, new JsValue(run.NewArray([item], 1)), PropertyFlags.All);
        }
    }

    private static void AddToMap(Run run, JsCollection groups, JsValue key, JsValue item)
    {
        JsValue known = groups.Get(run, key);
        if (known.IsObject)
        {
            ((JsArray)known.Object).Add(run, item);
        }
        else
        {
            groups.Put(run, key, new JsValue(run.NewArray([item], 1)));
        }
    }

    /// <summary>Asks the callback for the key of each item. An iterator is closed if that throws.</summary>
    private static void Group(Run run, JsValue items, JsValue callback, Add add)
    {
        if (items.IsNullish)
        {
            throw run.TypeError($"{Describe.Value(items)} is not iterable");
        }

        JsFunction function = Objects.Callable(run, callback);
        ValueIterator iterator = ValueIterator.Open(run, items);
        for (long i = 0; iterator.MoveNext(run, out JsValue item); i++)
        {
            run.Step();
            try
            {
                add(run, function.Call(run, JsValue.Undefined, [item, new JsValue(i)]), item);
            }
            catch (ThrownException)
            {
                iterator.CloseQuietly(run);
                throw;
            }
        }
    }
}

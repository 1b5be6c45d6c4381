using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>
/// Map, Set, WeakMap and WeakSet (ECMA-262, 24). The weak ones hold strong references, and end with their run.
/// </summary>
internal static class CollectionLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        Realm realm = builder.Realm;
        Build(builder, "Map", realm.MapPrototype, ObjectClass.Map);
        Build(builder, "Set", realm.SetPrototype, ObjectClass.Set);
        Build(builder, "WeakMap", realm.WeakMapPrototype, ObjectClass.WeakMap);
        Build(builder, "WeakSet", realm.WeakSetPrototype, ObjectClass.WeakSet);
        BuildIteration(builder, realm.MapPrototype, ObjectClass.Map);
        BuildIteration(builder, realm.SetPrototype, ObjectClass.Set);
    }

    private static void Build(RealmBuilder builder, string name, JsObject prototype, ObjectClass kind)
    {
        bool isMap = kind is ObjectClass.Map or ObjectClass.WeakMap;
        builder.Constructor(
            name, 0, prototype,
            (run, _, _) => throw run.TypeError($"Constructor {name} requires 'new'"),
            (run, a, newTarget) =>
            {
                run.ChargeBytes(250);
                JsCollection collection = new(Objects.PrototypeFrom(run, newTarget, prototype), kind);
                Fill(run, collection, a.At(0), isMap);
                return new JsValue(collection);
            });
        builder.Tag(prototype, name);
        builder.Method(prototype, "has", 1, (run, self, a) =>
            JsValue.Of(This(run, self, kind).Find(run, a.At(0)) >= 0));
        builder.Method(prototype, "delete", 1, (run, self, a) =>
            JsValue.Of(This(run, self, kind).Remove(run, a.At(0))));
        if (isMap)
        {
            builder.Method(prototype, "get", 1, (run, self, a) => This(run, self, kind).Get(run, a.At(0)));
            builder.Method(prototype, "set", 2, (run, self, a) =>
            {
                This(run, self, kind).Put(run, a.At(0), a.At(1));
                return self;
            });
        }
        else
        {
            builder.Method(prototype, "add", 1, (run, self, a) =>
            {
                This(run, self, kind).Put(run, a.At(0), a.At(0));
                return self;
            });
        }
    }

    private static void BuildIteration(RealmBuilder builder, JsObject prototype, ObjectClass kind)
    {
        builder.Method(prototype, "clear", 0, (run, self, _) =>
        {
            This(run, self, kind).Clear();
            return JsValue.Undefined;
        });
        builder.Getter(prototype, "size", (run, self, _) => new JsValue(This(run, self, kind).Count));
        builder.Method(prototype, "forEach", 1, (run, self, a) =>
        {
            JsCollection collection = This(run, self, kind);
            JsFunction callback = Objects.Callable(run, a.At(0));
            for (int at = 0; collection.MoveNext(ref at, out JsValue key, out JsValue value);)
            {
                run.Step();
                callback.Call(run, a.At(1), [value, key, self]);
            }

            return JsValue.Undefined;
        });
        NativeFunction values = Iterator(builder, "values", kind, (_, _, value) => value);
        NativeFunction keys = kind == ObjectClass.Set ? values : Iterator(builder, "keys", kind, (_, key, _) => key);
        NativeFunction entries = Iterator(builder, "entries", kind, ObjectLibrary.Pair);
        prototype.Define(builder.Run, "values", new JsValue(values), PropertyFlags.Hidden);
        prototype.Define(builder.Run, "keys", new JsValue(keys), PropertyFlags.Hidden);
        prototype.Define(builder.Run, "entries", new JsValue(entries), PropertyFlags.Hidden);
        prototype.Define(
            builder.Run, JsSymbol.Iterator, new JsValue(kind == ObjectClass.Map
                ? entries : values), PropertyFlags.Hidden);
    }

    private static NativeFunction Iterator(
        RealmBuilder builder, string name, ObjectClass kind, Func<Run, JsValue, JsValue, JsValue> select) =>
        builder.Function(name, 0, (run, self, _) =>
        {
            JsCollection collection = This(run, self, kind);
            int at = 0;
            JsObject prototype = kind == ObjectClass.Map
                ? run.Realm.MapIteratorPrototype : run.Realm.SetIteratorPrototype;
            return NativeIterator.Make(run, prototype, (Run inner, out JsValue item) =>
            {
                bool more = collection.MoveNext(ref at, out JsValue key, out JsValue value);
                item = more ? select(inner, key, value) : JsValue.Undefined;
                return more;
            });
        });

    private static void Fill(Run run, JsCollection collection, JsValue source, bool isMap)
    {
        if (source.IsNullish)
        {
            return;
        }

        // A subclass may have its own set or add.
        JsValue adder = collection.Get(run, isMap ? "set" : "add");
        JsFunction add = Objects.Callable(run, adder);
        ValueIterator iterator = ValueIterator.Open(run, source);
        while (iterator.MoveNext(run, out JsValue item))
        {
            run.Step();
            if (!isMap)
            {
                add.Call(run, new JsValue(collection), [item]);
                continue;
            }

            JsObject pair = item.AsObject
                ?? throw run.TypeError($"Iterator value {Describe.Value(item)} is not an entry object");
            add.Call(run, new JsValue(collection), [pair.GetIndex(run, 0), pair.GetIndex(run, 1)]);
        }
    }

    private static JsCollection This(Run run, JsValue self, ObjectClass kind) =>
        self.AsObject is JsCollection collection && collection.Class == kind ? collection
        : throw run.TypeError($"The receiver is not a {kind}");
}

/// <summary>
/// A map in order of insertion that may change during iteration: removed entries stay as gaps for a while.
/// </summary>
internal sealed class JsCollection(JsObject prototype, ObjectClass kind) : JsObject(prototype, kind)
{
    private readonly Dictionary<JsValue, int> _index = new(KeyComparer.Instance);
    private readonly List<(JsValue Key, JsValue Value)> _entries = [];

    internal int Count => _index.Count;

    internal int Find(Run run, JsValue key)
    {
        ChargeHash(run, key);
        return _index.TryGetValue(key, out int at) ? at : -1;
    }

    internal JsValue Get(Run run, JsValue key) =>
        Find(run, key) is >= 0 and int at ? _entries[at].Value : JsValue.Undefined;

    internal void Put(Run run, JsValue key, JsValue value)
    {
        key = key.IsNumber && key.Number == 0 ? new JsValue(0) : key;
        int at = Find(run, key);
        if (at >= 0)
        {
            _entries[at] = (key, value);
            return;
        }

        run.ChargeBytes(90);
        _index.Add(key, _entries.Count);
        _entries.Add((key, value));
    }

    internal bool Remove(Run run, JsValue key)
    {
        ChargeHash(run, key);
        if (!_index.Remove(key, out int at))
        {
            return false;
        }

        _entries[at] = (JsValue.Empty, JsValue.Empty);
        return true;
    }

    internal void Clear()
    {
        _index.Clear();
        for (int i = 0; i < _entries.Count; i++)
        {
            _entries[i] = (JsValue.Empty, JsValue.Empty);
        }
    }

    /// <summary>The next entry from a position on, which it moves.</summary>
    internal bool MoveNext(ref int at, out JsValue key, out JsValue value)
    {
        while (at < _entries.Count)
        {
            (key, value) = _entries[at++];
            if (!key.IsEmpty)
            {
                return true;
            }
        }

        (key, value) = (default, default);
        return false;
    }

    private static void ChargeHash(Run run, JsValue key) => run.ChargeText(key.IsString ? key.String.Length : 0);

    private sealed class KeyComparer : IEqualityComparer<JsValue>
    {
        internal static readonly KeyComparer Instance = new();

        public bool Equals(JsValue x, JsValue y) => Operations.SameValueZero(x, y);

        public int GetHashCode(JsValue obj) => obj.IsNumber && double.IsNaN(obj.Number) ? 1 : obj.GetHashCode();
    }
}

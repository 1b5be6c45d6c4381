using System.Runtime.CompilerServices;

namespace Raven.Scripting.Runtime;

/// <summary>
/// An object: a map from keys to values in order of insertion, and a prototype. Up to <see cref="ScannedMax"/> keys are
/// scanned, more are hashed. Access sites remember the position of the last hit, and compare one reference. OBJECT-1
/// _count &lt;= _keys.Length, and a deleted key is null with an empty value (only if hashed). OBJECT-2 AttributesOfAll
/// is null while every property is writable, enumerable and configurable. OBJECT-3 _keys may be shared with the literal
/// that made the object: it is copied before it changes.
/// </summary>
internal class JsObject : HeapValue
{
    private const int ScannedMax = 8;

    internal JsObject? Prototype;
    internal ObjectFlags Flags;
    internal readonly ObjectClass Class;

    private object?[] _keys = [];
    private JsValue[] _values = [];
    private RareState? _rare;
    private int _count;
    private bool _keysShared;

    internal JsObject(JsObject? prototype, ObjectClass objectClass = ObjectClass.Object)
        : base(ValueKind.Object)
    {
        Prototype = prototype;
        Class = objectClass;
    }

    /// <summary>
    /// An object literal: the keys are those of its site in the script, shared by all objects made there.
    /// </summary>
    internal JsObject(JsObject prototype, object[] sharedKeys, JsValue[] values, bool hasIndexKeys)
        : this(prototype)
    {
        _keys = sharedKeys;
        _values = values;
        _count = values.Length;
        _keysShared = true;
        Flags = hasIndexKeys ? ObjectFlags.HasIndexKeys : ObjectFlags.None;
        if (_count > ScannedMax)
        {
            BuildIndex();
        }
    }

    private PropertyFlags[]? AttributesOfAll
    {
        get => _rare?.Flags;
        set => (_rare ??= new RareState()).Flags = value;
    }

    private Dictionary<object, int>? IndexOfKeys
    {
        get => _rare?.Index;
        set => (_rare ??= new RareState()).Index = value;
    }

    private int DeletedCount
    {
        get => _rare is null ? 0 : _rare.Deleted;
        set => (_rare ??= new RareState()).Deleted = value;
    }

    /// <summary>What classes of the script gave it under private names; null if none did.</summary>
    internal PrivateMembers? Privates
    {
        get => _rare?.Privates;
        set => (_rare ??= new RareState()).Privates = value;
    }

    internal bool Extensible => (Flags & (ObjectFlags.NotExtensible | ObjectFlags.Immutable)) == 0;

    internal bool IsExotic => (Flags & ObjectFlags.Exotic) != 0;

    /// <summary>Whether the map has no property; exotic ones do not count.</summary>
    internal bool HasNoMappedProperty => _count == DeletedCount;

    /// <summary>Reads a property for an access site that remembers its last place in <paramref name="hint"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal JsValue GetHinted(Run run, string key, ref int hint)
    {
        int at = hint;
        object?[] keys = _keys;
        if ((uint)at < (uint)_count && (uint)at < (uint)keys.Length && ReferenceEquals(keys[at], key))
        {
            JsValue value = _values[at];
            if (!value.IsAccessor)
            {
                return value;
            }
        }

        return GetAndRemember(run, key, ref hint);
    }

    /// <summary>
    /// Overwrites a plain property for an access site that remembers its place. False if the general way is needed.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TrySetHinted(string key, JsValue value, int hint)
    {
        object?[] keys = _keys;
        if ((uint)hint < (uint)_count && (uint)hint < (uint)keys.Length && ReferenceEquals(keys[hint], key)
            && AttributesOfAll is null && (Flags & (ObjectFlags.Exotic | ObjectFlags.Immutable)) == 0
            && !_values[hint].IsAccessor)
        {
            _values[hint] = value;
            return true;
        }

        return false;
    }

    internal int FindHint(string key) => Find(key);

    private JsValue GetAndRemember(Run run, string key, ref int hint)
    {
        if (!IsExotic)
        {
            int at = Find(key);
            if (at >= 0)
            {
                hint = at;
            }
        }

        return Get(run, key, new JsValue(this));
    }

    internal JsValue Get(Run run, object key) => Get(run, key, new JsValue(this));

    /// <summary>The value of a property, own or inherited; undefined if there is none.</summary>
    internal JsValue Get(Run run, object key, JsValue receiver)
    {
        for (JsObject? holder = this; holder is not null; holder = holder.Prototype)
        {
            if (holder.IsExotic)
            {
                if (holder.TryGetOwn(run, key, out Property property))
                {
                    return Unwrap(run, property.Value, receiver);
                }
            }
            else
            {
                int at = holder.Find(key);
                if (at >= 0)
                {
                    return Unwrap(run, holder._values[at], receiver);
                }
            }
        }

        return JsValue.Undefined;
    }

    private static JsValue Unwrap(Run run, JsValue value, JsValue receiver) =>
        !value.IsAccessor ? value
        : Unsafe.As<Accessor>(value.Cell!).Getter is JsFunction getter ? getter.Call(run, receiver, [])
        : JsValue.Undefined;

    internal virtual bool TryGetOwn(Run run, object key, out Property property)
    {
        int at = Find(key);
        property = at < 0 ? default : new Property(_values[at], FlagsAt(at));
        return at >= 0;
    }

    internal bool HasOwn(Run run, object key) => TryGetOwn(run, key, out _);

    internal bool Has(Run run, object key)
    {
        for (JsObject? holder = this; holder is not null; holder = holder.Prototype)
        {
            if (holder.HasOwn(run, key))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Assigns: calls a setter, overwrites, or adds. False if that is not allowed.</summary>
    internal virtual bool Set(Run run, object key, JsValue value, JsValue receiver)
    {
        for (JsObject? holder = this; holder is not null; holder = holder.Prototype)
        {
            if (!holder.TryGetOwn(run, key, out Property property))
            {
                continue;
            }

            if (property.Value.IsAccessor)
            {
                return SetThrough((Accessor)property.Value.Cell!, run, value, receiver);
            }

            // A property of the shared realm does not prevent a script's own of the same name.
            if (!property.Is(PropertyFlags.Writable) && (holder.Flags & ObjectFlags.Immutable) == 0)
            {
                return false;
            }

            break;
        }

        return receiver.IsObject && receiver.Object.PutOwn(run, key, value);
    }

    private static bool SetThrough(Accessor accessor, Run run, JsValue value, JsValue receiver)
    {
        if (accessor.Setter is not JsFunction setter)
        {
            return false;
        }

        setter.Call(run, receiver, [value]);
        return true;
    }

    /// <summary>Overwrites an own property, keeping its attributes, or adds a plain one.</summary>
    internal virtual bool PutOwn(Run run, object key, JsValue value)
    {
        int at = Find(key);
        if (at < 0)
        {
            return Extensible && Append(run, key, value, PropertyFlags.All);
        }

        if ((Flags & ObjectFlags.Immutable) != 0 || (FlagsAt(at) & PropertyFlags.Writable) == 0
            || _values[at].IsAccessor)
        {
            return false;
        }

        _values[at] = value;
        return true;
    }

    /// <summary>Defines a property with exactly these attributes. False if an existing one forbids it.</summary>
    internal virtual bool Define(Run run, object key, JsValue value, PropertyFlags flags)
    {
        int at = Find(key);
        if (at < 0)
        {
            return Extensible && Append(run, key, value, flags);
        }

        if ((Flags & ObjectFlags.Immutable) != 0 || !PropertyRules.MayRedefine(new Property(_values[at], FlagsAt(
            at)), value, flags))
        {
            return false;
        }

        _values[at] = value;
        SetFlags(at, flags);
        return true;
    }

    /// <summary>Removes a property. False if it may not be removed.</summary>
    internal virtual bool Delete(Run run, object key)
    {
        int at = Find(key);
        if (at < 0)
        {
            return true;
        }

        if ((Flags & ObjectFlags.Immutable) != 0 || (FlagsAt(at) & PropertyFlags.Configurable) == 0)
        {
            return false;
        }

        OwnKeysArray();
        if (IndexOfKeys is not null)
        {
            IndexOfKeys.Remove(key);
            _keys[at] = null;
            _values[at] = JsValue.Empty;
            DeletedCount++;
            return true;
        }

        int moved = --_count - at;
        Array.Copy(_keys, at + 1, _keys, at, moved);
        Array.Copy(_values, at + 1, _values, at, moved);
        if (AttributesOfAll is not null)
        {
            Array.Copy(AttributesOfAll, at + 1, AttributesOfAll, at, moved);
        }

        _keys[_count] = null;
        _values[_count] = default;
        return true;
    }

    /// <summary>Adds all own keys: indexes ascending, then names, then symbols, each in order of insertion.</summary>
    internal virtual void AddOwnKeys(Run run, List<object> keys)
    {
        run.ChargeSteps(_count / 8);
        int start = keys.Count;
        bool symbols = false;
        for (int i = 0; i < _count; i++)
        {
            if (_keys[i] is string name)
            {
                keys.Add(name);
            }

            symbols |= _keys[i] is JsSymbol;
        }

        if ((Flags & ObjectFlags.HasIndexKeys) != 0)
        {
            PropertyKeys.SortIndexesFirst(keys, start);
        }

        for (int i = 0; symbols && i < _count; i++)
        {
            if (_keys[i] is JsSymbol symbol)
            {
                keys.Add(symbol);
            }
        }
    }

    internal virtual JsValue GetIndex(Run run, uint index) => Get(run, PropertyKeys.OfIndex(index));

    internal virtual bool SetIndex(Run run, uint index, JsValue value) =>
        Set(run, PropertyKeys.OfIndex(index), value, new JsValue(this));

    /// <summary>Makes the map's properties read-only or not removable.</summary>
    internal virtual void Restrict(Run run, bool frozen)
    {
        Flags |= ObjectFlags.NotExtensible;
        for (int i = 0; i < _count; i++)
        {
            PropertyFlags flags = FlagsAt(i) & ~PropertyFlags.Configurable;
            SetFlags(i, frozen && !_values[i].IsAccessor ? flags & ~PropertyFlags.Writable : flags);
        }
    }

    private int Find(object key)
    {
        if (IndexOfKeys is not null)
        {
            return IndexOfKeys.TryGetValue(key, out int found) ? found : -1;
        }

        object?[] keys = _keys;
        int count = Math.Min(_count, keys.Length);
        for (int i = 0; i < count; i++)
        {
            if (ReferenceEquals(keys[i], key))
            {
                return i;
            }
        }

        return key is string name ? FindByText(keys, count, name) : -1;
    }

    private static int FindByText(object?[] keys, int count, string name)
    {
        for (int i = 0; i < count; i++)
        {
            if (keys[i] is string other && other.Length == name.Length && other == name)
            {
                return i;
            }
        }

        return -1;
    }

    private PropertyFlags FlagsAt(int at) => AttributesOfAll is null ? PropertyFlags.All : AttributesOfAll[at];

    private void SetFlags(int at, PropertyFlags flags)
    {
        if (AttributesOfAll is null)
        {
            if (flags == PropertyFlags.All)
            {
                return;
            }

            AttributesOfAll = new PropertyFlags[_values.Length];
            Array.Fill(AttributesOfAll, PropertyFlags.All);
        }

        AttributesOfAll[at] = flags;
    }

    private bool Append(Run run, object key, JsValue value, PropertyFlags flags)
    {
        OwnKeysArray();
        if (_count == _keys.Length || _count == _values.Length)
        {
            Grow(run);
        }

        _keys[_count] = key;
        _values[_count] = value;
        int at = _count++;
        if (AttributesOfAll is not null || flags != PropertyFlags.All)
        {
            SetFlags(at, flags);
        }

        if (IndexOfKeys is not null)
        {
            IndexOfKeys.Add(key, at);
        }
        else if (_count > ScannedMax)
        {
            BuildIndex();
        }

        if (key is string name && name.Length > 0 && char.IsAsciiDigit(name[0]) && PropertyKeys.TryIndex(name, out _))
        {
            Flags |= ObjectFlags.HasIndexKeys;
        }

        return true;
    }

    private void OwnKeysArray()
    {
        if (_keysShared)
        {
            _keys = (object?[])_keys.Clone();
            _keysShared = false;
        }
    }

    private void Grow(Run run)
    {
        if (DeletedCount > _count / 2)
        {
            Compact();
            return;
        }

        int capacity = Math.Max(4, _count * 2);
        run.ChargeBytes((capacity - _values.Length) * (_count >= ScannedMax ? 60 : 25));
        Array.Resize(ref _keys, capacity);
        Array.Resize(ref _values, capacity);
        if (AttributesOfAll is not null)
        {
            PropertyFlags[]? flags = AttributesOfAll;
            Array.Resize(ref flags, capacity);
            AttributesOfAll = flags;
        }
    }

    private void Compact()
    {
        int to = 0;
        for (int from = 0; from < _count; from++)
        {
            if (_keys[from] is null)
            {
                continue;
            }

            _keys[to] = _keys[from];
            _values[to] = _values[from];
            if (AttributesOfAll is not null)
            {
                AttributesOfAll[to] = AttributesOfAll[from];
            }

            to++;
        }

        Array.Clear(_keys, to, _count - to);
        Array.Clear(_values, to, _count - to);
        (_count, DeletedCount) = (to, 0);
        BuildIndex();
    }

    private void BuildIndex()
    {
        IndexOfKeys = new Dictionary<object, int>(_values.Length, PropertyKeyComparer.Instance);
        for (int i = 0; i < _count; i++)
        {
            IndexOfKeys.Add(_keys[i]!, i);
        }
    }
}

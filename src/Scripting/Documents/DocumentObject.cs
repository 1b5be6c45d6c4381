using System.Text;
using Raven.Blittable.Reading;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Documents;

/// <summary>
/// An object of a stored document, seen by a script. Reading a property parses only that property. Values that the
/// script sets, and objects and arrays that it has read, are in the map of the base class; the rest is read from the
/// document each time. An empty property in the map was deleted.
/// </summary>
internal sealed class DocumentObject : JsObject
{
    private const int NameOnStack = 128;

    internal DocumentObject(JsObject prototype, BlittableObject source)
        : base(prototype, ObjectClass.Document)
    {
        Source = source;
        Flags = ObjectFlags.Exotic;
    }

    internal BlittableObject Source { get; }

    /// <summary>
    /// A ScriptDocument (the host's facts of the document whose root this is) or a SystemMetadata (what the server adds
    /// to metadata). null for most objects.
    /// </summary>
    private readonly object? _origin;

    /// <summary>The host's facts of the document whose root this is; null for others.</summary>
    internal ScriptDocument? Info
    {
        get => _origin as ScriptDocument;
        init => _origin = value;
    }

    /// <summary>
    /// What the server adds to metadata: reads include it, and writing the document whose metadata this is leaves it
    /// out. null for others.
    /// </summary>
    internal SystemMetadata? System
    {
        get => _origin as SystemMetadata;
        init => _origin = value;
    }

    /// <summary>The metadata object that getMetadata made for a document that has none.</summary>
    internal JsObject? MadeMetadata { get; set; }

    /// <summary>Reads a property for an access site that remembers its place.</summary>
    internal JsValue Get(Run run, string name, PropertyHint hint)
    {
        if (HasNoMappedProperty && _origin is not SystemMetadata)
        {
            return Source.TryGet(hint, out BlittableValue stored) ? Read(run, name, stored)
                : Prototype!.Get(run, name, new JsValue(this));
        }

        return Get(run, name, new JsValue(this));
    }

    internal override bool TryGetOwn(Run run, object key, out Property property)
    {
        if (base.TryGetOwn(run, key, out property))
        {
            return !property.Value.IsEmpty;
        }

        if (key is not string name)
        {
            return false;
        }

        if (TryFind(name, out BlittableValue stored))
        {
            property = new Property(Read(run, name, stored), PropertyFlags.All);
            return true;
        }

        if (System is { } system && system.TryGet(run, name, out JsValue value))
        {
            property = new Property(value, PropertyFlags.All);
            return true;
        }

        return false;
    }

    internal override bool PutOwn(Run run, object key, JsValue value)
    {
        if (IsLocked && (!Extensible || (Flags & ObjectFlags.Frozen) != 0) && !(TryGetOwn(run, key, out Property own)
            && own.Is(PropertyFlags.Writable)))
        {
            return false;
        }

        if (base.TryGetOwn(run, key, out Property mapped))
        {
            return mapped.Value.IsEmpty ? base.Define(run, key, value, PropertyFlags.All)
                : base.PutOwn(run, key, value);
        }

        return Write(run, key, value);
    }

    internal override bool Define(Run run, object key, JsValue value, PropertyFlags flags)
    {
        if (TryGetOwn(run, key, out Property existing) && !PropertyRules.MayRedefine(existing, value, flags))
        {
            return false;
        }

        return Write(run, key, value, flags);
    }

    internal override bool Delete(Run run, object key)
    {
        if (!TryGetOwn(run, key, out Property own))
        {
            return true;
        }

        if (!own.Is(PropertyFlags.Configurable))
        {
            return false;
        }

        return key is string name && TryFind(name, out _)
            ? Write(run, key, JsValue.Empty) : base.Delete(run, key);
    }

    internal override void AddOwnKeys(Run run, List<object> keys)
    {
        int start = keys.Count;
        int[] order = new int[Source.Count];
        run.ChargeBytes(40L * order.Length);
        run.ChargeSteps(order.Length);
        Source.GetOriginalOrder(order);
        HashSet<string> seen = new(StringComparer.Ordinal);
        foreach (int index in order)
        {
            string name = Source.GetProperty(index).GetName();
            seen.Add(name);
            if (!(base.TryGetOwn(run, name, out Property own) && own.Value.IsEmpty))
            {
                keys.Add(name);
            }
        }

        List<object> mapped = [];
        base.AddOwnKeys(run, mapped);
        keys.AddRange(mapped.Where(key => !(key is string name && seen.Contains(name))));
        if (System is { } system)
        {
            keys.AddRange(system.NamesIn(run).Where(name => !seen.Contains(name) && !mapped.Contains(name)));
        }

        if (keys.Exists(key => key is string name && PropertyKeys.TryIndex(name, out _)))
        {
            PropertyKeys.SortIndexesFirst(keys, start);
        }
    }

    internal override void Restrict(Run run, bool frozen)
    {
        foreach (object key in Objects.OwnKeys(run, this))
        {
            TryGetOwn(run, key, out Property own);
            Write(run, key, own.Value);
        }

        base.Restrict(run, frozen);
        Flags |= frozen ? ObjectFlags.Sealed | ObjectFlags.Frozen : ObjectFlags.Sealed;
    }

    /// <summary>Whether its written form would differ from the stored one.</summary>
    internal bool IsChanged(Run run)
    {
        if (HasNoMappedProperty && MadeMetadata is null)
        {
            return false;
        }

        run.CheckStack();
        List<object> mapped = [];
        base.AddOwnKeys(run, mapped);
        foreach (object key in mapped)
        {
            if (key is not string name || !base.TryGetOwn(run, name, out Property own))
            {
                continue;
            }

            bool isStored = TryFind(name, out BlittableValue stored);
            bool same = own.Value.IsEmpty ? !isStored
                : isStored ? DocumentValues.Same(run, own.Value, stored) : !DocumentValues.HasText(own.Value);
            if (!same)
            {
                return true;
            }
        }

        return MadeMetadata is { HasNoMappedProperty: false };
    }

    /// <summary>A value that the script set or has read as an object; false if the stored one is valid.</summary>
    internal bool TryGetMapped(Run run, string name, out JsValue value)
    {
        bool found = base.TryGetOwn(run, name, out Property own);
        value = own.Value;
        return found;
    }

    /// <summary>Remembers the metadata object, so that changes to it are changes of the document.</summary>
    internal void KeepMetadata(Run run, DocumentObject metadata) => Write(run, "@metadata", new JsValue(metadata));

    /// <summary>The names that are not in the stored object.</summary>
    internal List<string> AddedNames(Run run)
    {
        List<object> mapped = [];
        base.AddOwnKeys(run, mapped);
        return [.. mapped.OfType<string>().Where(name => !TryFind(name, out _))];
    }

    internal bool TryFind(string name, out BlittableValue stored)
    {
        Span<byte> utf8 = name.Length <= NameOnStack ? stackalloc byte[NameOnStack * 3] : new byte[name.Length * 3];
        return Source.TryGet(utf8[..Encoding.UTF8.GetBytes(name, utf8)], out stored);
    }

    private bool IsLocked => (Flags & (ObjectFlags.NotExtensible | ObjectFlags.Frozen)) != 0;

    private JsValue Read(Run run, string name, BlittableValue stored)
    {
        JsValue value = DocumentValues.ToValue(run, stored);
        if (value.IsObject)
        {
            if (Info is { } info && name == "@metadata" && stored.TryGetObject(out BlittableObject metadata))
            {
                value = new JsValue(
                    new DocumentObject(run.Realm.ObjectPrototype, metadata) { System = new SystemMetadata(info) });
            }

            // The same object each time, which keeps changes inside of it.
            ObjectFlags kept = Flags;
            Flags &= ~ObjectFlags.NotExtensible;
            base.Define(run, name, value, PropertyFlags.All);
            Flags = kept;
        }

        return value;
    }

    private bool Write(Run run, object key, JsValue value, PropertyFlags flags = PropertyFlags.All) =>
        base.Define(run, key, value, flags);
}

using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;

namespace Raven.Server.Http.Studio;

/// <summary>
/// The fields that some documents have: their paths as queries write them, how many of the documents have each, the
/// kinds of its values, and one of these. What it looks at is bounded. One thread at a time.
/// </summary>
/// <param name="cancellation">Ends it.</param>
internal sealed class FieldSample(CancellationToken cancellation)
{
    /// <summary>How many fields it takes.</summary>
    internal const int FieldsMax = 1000;

    private const int ValuesMax = 200_000;
    private const int DepthMax = 16;
    private const int ItemsMax = 32;
    private const int OrderedMax = 256;
    private const int NameBytesMax = 512;
    private const int PathCharactersMax = 1024;
    private const int ExampleCharactersMax = 100;

    private static readonly string[] KindNames = ["Null", "Boolean", "Number", "String", "Object", "Array"];

    private readonly Dictionary<string, Field> _fields = [];
    private readonly int[] _order = new int[OrderedMax];
    private int _values;
    private ScanCancellation _scan = new(cancellation);

    /// <summary>How many documents it has seen.</summary>
    internal int DocumentCount { get; private set; }

    /// <summary>Whether there is more in the documents than it takes.</summary>
    internal bool IsCut { get; private set; }

    /// <summary>Whether it takes no more documents.</summary>
    internal bool IsFull => _values >= ValuesMax;

    /// <summary>Adds the fields of a document.</summary>
    internal void Add(in StoredDocument document)
    {
        DocumentCount++;
        WalkMembers(document.Data, "", 0);
    }

    /// <summary>Writes the fields, in the order in which they were found.</summary>
    internal void Write(ref JsonOutput json)
    {
        json.StartArray();
        foreach ((string path, Field field) in _fields)
        {
            json.StartObject();
            json.RawName("\"Path\":"u8);
            json.String(path);
            json.RawName("\"Share\":"u8);
            json.Number(Math.Round((double)field.Documents / DocumentCount, 3));
            json.RawName("\"Kinds\":"u8);
            json.StartObject();
            for (int i = 0; i < KindNames.Length; i++)
            {
                if (field.Kinds[i] > 0)
                {
                    json.Name(KindNames[i]);
                    json.Number(field.Kinds[i]);
                }
            }

            json.EndObject();
            json.RawName("\"Example\":"u8);
            if (field.HasExample)
            {
                CutValue.Write(ref json, field.Example, ExampleCharactersMax);
            }
            else
            {
                json.Null();
            }

            json.EndObject();
        }

        json.EndArray();
    }

    private void WalkMembers(BlittableObject data, string path, int depth)
    {
        bool isOrdered = data.Count <= OrderedMax;
        int[] order = depth == 0 ? _order : isOrdered ? new int[data.Count] : [];
        if (isOrdered)
        {
            data.GetOriginalOrder(order);
        }

        for (int i = 0; i < data.Count; i++)
        {
            if (IsFull)
            {
                IsCut = true;
                return;
            }

            Count();
            BlittableProperty property = data.GetProperty(isOrdered ? order[i] : i);
            if (depth == 0 && property.Name.SequenceEqual("@metadata"u8))
            {
                continue;
            }

            string name = property.Name.Length > NameBytesMax ? "" : FieldPath.NameOf(property.GetName());
            if (name.Length == 0 || path.Length + 1 + name.Length > PathCharactersMax)
            {
                IsCut = true;
            }
            else
            {
                Walk(property.Value, path.Length == 0 ? name : $"{path}.{name}", depth + 1);
            }
        }
    }

    private void Walk(BlittableValue value, string path, int depth)
    {
        Note(value, path);
        if (depth >= DepthMax)
        {
            IsCut |= value.Kind is ValueKind.Object or ValueKind.Array;
        }
        else if (value.TryGetObject(out BlittableObject members))
        {
            WalkMembers(members, path, depth);
        }
        else if (value.TryGetArray(out BlittableArray items))
        {
            string itemPath = path + "[]";
            for (int i = 0; i < items.Count; i++)
            {
                if (i == ItemsMax || IsFull)
                {
                    IsCut = true;
                    return;
                }

                Count();
                if (items[i].TryGetObject(out BlittableObject item))
                {
                    WalkMembers(item, itemPath, depth + 1);
                }
                else
                {
                    Walk(items[i], itemPath, depth + 1);
                }
            }
        }
    }

    /// <summary>Counts a member or an item, whether it becomes a field or not.</summary>
    private void Count()
    {
        _scan.Step();
        _values++;
    }

    private void Note(BlittableValue value, string path)
    {
        if (!_fields.TryGetValue(path, out Field? field))
        {
            if (_fields.Count == FieldsMax)
            {
                IsCut = true;
                return;
            }

            field = new Field();
            _fields.Add(path, field);
        }

        field.Kinds[KindOf(value.Kind)]++;
        if (field.LastDocument != DocumentCount)
        {
            field.LastDocument = DocumentCount;
            field.Documents++;
        }

        if (!field.HasExample && value.Kind is not (ValueKind.Null or ValueKind.Object or ValueKind.Array))
        {
            field.HasExample = true;
            field.Example = value;
        }
    }

    private static int KindOf(ValueKind kind) => kind switch
    {
        ValueKind.True or ValueKind.False => 1,
        ValueKind.Integer or ValueKind.Number => 2,
        ValueKind.String => 3,
        ValueKind.Object => 4,
        ValueKind.Array => 5,
        _ => 0,
    };

    private sealed class Field
    {
        internal int[] Kinds { get; } = new int[KindNames.Length];

        internal int Documents { get; set; }

        internal int LastDocument { get; set; }

        internal bool HasExample { get; set; }

        internal BlittableValue Example { get; set; }
    }
}

using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Schemas;

/// <summary>What is checked: a value of a document, or a name of a property, whose bytes the run has.</summary>
internal readonly struct SchemaInstance
{
    private SchemaInstance(BlittableValue value, int hidden, bool isName)
    {
        Value = value;
        Hidden = hidden;
        IsName = isName;
    }

    /// <summary>The value; none for a name.</summary>
    internal BlittableValue Value { get; }

    /// <summary>The place of a property that schemas do not see; -1 for none.</summary>
    internal int Hidden { get; }

    /// <summary>True for a name.</summary>
    internal bool IsName { get; }

    internal ValueKind Kind => IsName ? ValueKind.String : Value.Kind;

    /// <summary>How many properties or items it has.</summary>
    internal int Count => Value.TryGetObject(out BlittableObject members) ? members.Count
        : Value.TryGetArray(out BlittableArray items) ? items.Count : 0;

    internal static SchemaInstance Name { get; } = new(default, -1, isName: true);

    /// <summary>A value inside of a document.</summary>
    internal static SchemaInstance Of(BlittableValue value) => new(value, -1, isName: false);

    /// <summary>A document without its <c>@metadata</c>.</summary>
    internal static SchemaInstance OfDocument(BlittableObject document) =>
        new(document.AsValue(), document.IndexOf("@metadata"u8), isName: false);
}

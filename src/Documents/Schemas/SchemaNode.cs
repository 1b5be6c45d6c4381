using Raven.Scripting;

namespace Raven.Documents.Schemas;

/// <summary>
/// One schema, or a part of one: what it asks of a value. Filled by <see cref="SchemaCompiler"/>, then never changed.
/// </summary>
internal sealed class SchemaNode
{
    /// <summary>Where it is in the schema, such as <c>#/properties/Name</c>.</summary>
    internal required string Place { get; init; }

    /// <summary>The number of the resource that it is in: the schema, or a part of it with an <c>$id</c>.</summary>
    internal required SchemaResource Resource { get; init; }

    /// <summary>True or false for a schema that is one of them.</summary>
    internal bool? Always { get; set; }

    internal SchemaTypes Types { get; set; } = SchemaTypes.Any;

    /// <summary>The values that are allowed, as bytes; null for any.</summary>
    internal byte[][]? Enum { get; set; }

    /// <summary>The values that are allowed, as JSON, for messages.</summary>
    internal string EnumText { get; set; } = "";

    internal SchemaNumber? Minimum { get; set; }

    internal SchemaNumber? Maximum { get; set; }

    internal SchemaNumber? ExclusiveMinimum { get; set; }

    internal SchemaNumber? ExclusiveMaximum { get; set; }

    internal SchemaNumber? MultipleOf { get; set; }

    internal int MinLength { get; set; }

    internal int MaxLength { get; set; } = int.MaxValue;

    internal TextPattern? Pattern { get; set; }

    /// <summary>What it asks of arrays; null for nothing.</summary>
    internal SchemaItems? Items { get; set; }

    /// <summary>What it asks of objects; null for nothing.</summary>
    internal SchemaMembers? Members { get; set; }

    internal SchemaNode[] AllOf { get; set; } = [];

    internal SchemaNode[] AnyOf { get; set; } = [];

    internal SchemaNode[] OneOf { get; set; } = [];

    internal SchemaNode? Not { get; set; }

    internal SchemaNode? If { get; set; }

    internal SchemaNode? Then { get; set; }

    internal SchemaNode? Else { get; set; }

    internal SchemaNode? Ref { get; set; }

    /// <summary>The name of a <c>$dynamicRef</c> whose target has the same <c>$dynamicAnchor</c>; null if there is
    /// none. <see cref="Ref"/> is its first target.</summary>
    internal string? DynamicName { get; set; }

    /// <summary>Whether it asks something of texts.</summary>
    internal bool HasTextRules => Pattern is not null || MinLength > 0 || MaxLength < int.MaxValue;

    /// <summary>Whether it asks something of numbers.</summary>
    internal bool HasNumberRules => Minimum is not null || Maximum is not null || ExclusiveMinimum is not null
        || ExclusiveMaximum is not null || MultipleOf is not null;

    /// <summary>Whether it asks something of what other parts for the same value have left.</summary>
    internal bool HasUnevaluated => Items?.Unevaluated is not null || Members?.Unevaluated is not null;

    /// <summary>Whether it has parts for the same value.</summary>
    internal bool HasParts { get; set; }

    /// <summary>The parts of it that look at the same value.</summary>
    internal IEnumerable<SchemaNode> InPlace()
    {
        SchemaNode?[] single = [Ref, Not, If, Then, Else];
        return [.. single.OfType<SchemaNode>(), .. AllOf, .. AnyOf, .. OneOf,
            .. Members?.DependentSchemas.Select(one => one.Node) ?? []];
    }
}

/// <summary>What a schema asks of arrays.</summary>
internal sealed class SchemaItems
{
    internal int Min { get; set; }

    internal int Max { get; set; } = int.MaxValue;

    internal bool AreUnique { get; set; }

    internal SchemaNode[] Prefix { get; set; } = [];

    internal SchemaNode? Rest { get; set; }

    internal SchemaNode? Contains { get; set; }

    internal int MinContains { get; set; } = 1;

    internal int MaxContains { get; set; } = int.MaxValue;

    internal SchemaNode? Unevaluated { get; set; }
}

/// <summary>What a schema asks of objects. Names are UTF-8, and in their order where they are sorted.</summary>
internal sealed class SchemaMembers
{
    internal int Min { get; set; }

    internal int Max { get; set; } = int.MaxValue;

    /// <summary>Sorted.</summary>
    internal byte[][] Required { get; set; } = [];

    /// <summary>Sorted.</summary>
    internal (byte[] Name, SchemaNode Node)[] Properties { get; set; } = [];

    internal (TextPattern Pattern, SchemaNode Node)[] Patterns { get; set; } = [];

    internal SchemaNode? Additional { get; set; }

    internal SchemaNode? Names { get; set; }

    internal (byte[] Name, byte[][] Required)[] DependentRequired { get; set; } = [];

    internal (byte[] Name, SchemaNode Node)[] DependentSchemas { get; set; } = [];

    internal SchemaNode? Unevaluated { get; set; }
}

/// <summary>A schema that has a name of its own, <c>$id</c>, and what can be found in it by name.</summary>
internal sealed class SchemaResource
{
    /// <summary>Its absolute name, without a fragment.</summary>
    internal required Uri Id { get; init; }

    /// <summary>Where it is, a pointer from the root: empty for the root.</summary>
    internal required string Pointer { get; init; }

    /// <summary>Pointers of parts by their <c>$anchor</c> or <c>$dynamicAnchor</c>.</summary>
    internal Dictionary<string, string> Anchors { get; } = [];

    /// <summary>Parts by their <c>$dynamicAnchor</c>.</summary>
    internal Dictionary<string, SchemaNode> Dynamic { get; } = [];
}

/// <summary>Kinds of JSON values.</summary>
[Flags]
internal enum SchemaTypes : byte
{
    None = 0,
    Null = 1,
    Boolean = 2,
    Object = 4,
    Array = 8,
    Number = 16,
    String = 32,
    Integer = 64,
    Any = Null | Boolean | Object | Array | Number | String | Integer,
}

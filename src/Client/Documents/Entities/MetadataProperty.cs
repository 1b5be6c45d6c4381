using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Json;

namespace Raven.Client.Documents.Entities;

/// <summary>
/// Stands for <c>@metadata</c> among the properties of every type, and is never written: while an entity is read, it
/// reads what the session needs of the metadata, so that one pass over the document is enough.
/// </summary>
internal sealed class MetadataProperty : JsonConverter<MetadataProperty.Mark>
{
    private static readonly MetadataProperty Instance = new();

    /// <summary>The depth of the metadata that is expected; 0 if none is.</summary>
    [ThreadStatic]
    private static int _depth;

    [ThreadStatic]
    private static byte[]? _knownType;

    [ThreadStatic]
    private static DocumentHead _head;

    /// <summary>Receives each head while many documents are read; null if only one is read.</summary>
    [ThreadStatic]
    private static List<DocumentHead>? _heads;

    /// <summary>Makes this thread keep what it reads of the metadata at a depth, until <see cref="End"/>.</summary>
    /// <param name="depth">The depth of its opening brace.</param>
    /// <param name="knownType">The name of the type that need not be reported.</param>
    internal static void Begin(int depth, byte[] knownType)
    {
        _depth = depth;
        _knownType = knownType;
        _head = default;
    }

    /// <summary>
    /// Makes this thread add what it reads of each metadata at a depth to a list, until <see cref="End"/>.
    /// </summary>
    internal static void Begin(int depth, byte[] knownType, List<DocumentHead> heads)
    {
        Begin(depth, knownType);
        _heads = heads;
    }

    /// <summary>What was read since the beginning.</summary>
    internal static DocumentHead End()
    {
        DocumentHead head = _head;
        _depth = 0;
        _head = default;
        _heads = null;
        return head;
    }

    /// <summary>Adds the property to a type, unless the type has a property of that name.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026:RequiresUnreferencedCode",
        Justification = "The property has a converter of its own: nothing of its type is looked for.")]
    internal static void AddTo(JsonTypeInfo type)
    {
        foreach (JsonPropertyInfo property in type.Properties)
        {
            if (property.Name == EntitySerializer.MetadataName)
            {
                return;
            }
        }

        JsonPropertyInfo added = type.CreateJsonPropertyInfo(typeof(Mark), EntitySerializer.MetadataName);
        added.CustomConverter = Instance;
        added.Set = static (_, _) => { };
        type.Properties.Add(added);
    }

    internal static bool Is(JsonPropertyInfo property) => property.PropertyType == typeof(Mark);

    public override Mark? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (_depth != 0 && reader.CurrentDepth == _depth && reader.TokenType == JsonTokenType.StartObject)
        {
            _head = DocumentHead.Read(ref reader, _knownType, wantsChangeVector: false);
            _heads?.Add(_head);
        }
        else
        {
            reader.Skip();
        }

        return null;
    }

    public override void Write(Utf8JsonWriter writer, Mark value, JsonSerializerOptions options) =>
        throw new InvalidOperationException("The mark of metadata is never written.");

    /// <summary>The type of a property that has no value.</summary>
    internal sealed class Mark;
}

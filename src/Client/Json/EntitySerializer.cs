using System.Buffers;
using System.Collections.Concurrent;
using System.Reflection;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Json;

/// <summary>
/// Entities to JSON and back. The id of the outermost object is no part of the document; that of an object inside it
/// is. Safe for all threads.
/// </summary>
internal sealed class EntitySerializer
{
    internal const string MetadataName = "@metadata";

    /// <summary>The entity that this thread writes: its own id is left out, not those of what it holds.</summary>
    [ThreadStatic]
    private static object? _root;

    private readonly DocumentConventions _conventions;
    /// <summary>The most type names of documents that are kept: documents of strangers can name any.</summary>
    private const int WrittenTypesMax = 1024;

    private readonly ConcurrentDictionary<Type, MemberInfo?> _identities = new();
    private readonly ConcurrentDictionary<string, Type?> _writtenTypes = new(StringComparer.Ordinal);

    internal EntitySerializer(DocumentConventions conventions)
    {
        _conventions = conventions;
        var options = new JsonSerializerOptions
        {
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
            MaxDepth = 256,
        };
        options.Converters.Add(new RavenDateTimeConverter());
        if (!conventions.SaveEnumsAsIntegers)
        {
            options.Converters.Add(new JsonStringEnumConverter());
        }

        conventions.CustomizeSerializer?.Invoke(options);
        var resolver = options.TypeInfoResolver ?? new DefaultJsonTypeInfoResolver();
        options.TypeInfoResolver = resolver.WithAddedModifier(LeaveOutIdentity);
        options.MakeReadOnly();
        Options = options;
    }

    internal JsonSerializerOptions Options { get; }

    /// <summary>Writes an entity as JSON without its id.</summary>
    internal void Write(Utf8JsonWriter writer, object entity)
    {
        object? outer = _root;
        _root = entity;
        try
        {
            JsonSerializer.Serialize(writer, entity, Options.GetTypeInfo(entity.GetType()));
        }
        finally
        {
            _root = outer;
        }
    }

    /// <summary>The JSON of an entity, without its id.</summary>
    internal ReadOnlyMemory<byte> ToJson(object entity)
    {
        var buffer = new ArrayBufferWriter<byte>(512);
        using var writer = new Utf8JsonWriter(buffer, Http.JsonFormats.Writer);
        Write(writer, entity);
        writer.Flush();
        return buffer.WrittenMemory;
    }

    /// <summary>A value of a parameter or a script as JSON.</summary>
    internal void WriteValue(Utf8JsonWriter writer, object? value)
    {
        if (value is null)
        {
            writer.WriteNullValue();
        }
        else
        {
            JsonSerializer.Serialize(writer, value, Options.GetTypeInfo(value.GetType()));
        }
    }

    /// <summary>The entity of a document, with its id.</summary>
    /// <param name="document">The document, with or without its metadata.</param>
    /// <param name="type">The type that was asked for.</param>
    /// <param name="id">Its id; null to set none.</param>
    internal object FromJson(JsonElement document, Type type, string? id)
    {
        object entity = document.Deserialize(Options.GetTypeInfo(ConcreteType(document, type)))
            ?? throw new JsonException($"The document {id} is null and cannot become a {type.Name}.");
        if (entity is JsonObject json)
        {
            json.Remove(MetadataName);
        }

        if (id != null)
        {
            SetId(entity, id);
        }

        return entity;
    }

    /// <summary>Copies what one object holds to another of its type.</summary>
    internal void Copy(object source, object target)
    {
        if (source is JsonObject from && target is JsonObject to)
        {
            to.Clear();
            foreach (KeyValuePair<string, JsonNode?> pair in from)
            {
                to[pair.Key] = pair.Value?.DeepClone();
            }

            return;
        }

        foreach (JsonPropertyInfo property in Options.GetTypeInfo(target.GetType()).Properties)
        {
            if (property is { Get: { } get, Set: { } set })
            {
                set(target, get(source));
            }
        }
    }

    /// <summary>The names of the properties that a type has in JSON.</summary>
    internal IEnumerable<string> NamesOf(Type type) =>
        Options.GetTypeInfo(type).Properties.Select(property => property.Name);

    internal string? GetId(object entity) => IdentityOf(entity.GetType()) switch
    {
        PropertyInfo property => (string?)property.GetValue(entity),
        FieldInfo field => (string?)field.GetValue(entity),
        _ => null,
    };

    internal void SetId(object entity, string? id)
    {
        switch (IdentityOf(entity.GetType()))
        {
            case PropertyInfo { CanWrite: true } property:
                property.SetValue(entity, id);
                break;
            case FieldInfo { IsInitOnly: false } field:
                field.SetValue(entity, id);
                break;
            default:
                break;
        }
    }

    /// <summary>The member that holds the id of a type; null where it has none.</summary>
    internal MemberInfo? IdentityOf(Type type) => _identities.GetOrAdd(type, static (key, self) =>
        key.GetMembers(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            .FirstOrDefault(member => self.IsText(member) && self._conventions.FindIdentityProperty(member)), this);

    private bool IsText(MemberInfo member) => member switch
    {
        PropertyInfo property => property.PropertyType == typeof(string) && property.GetIndexParameters().Length == 0,
        FieldInfo field => field.FieldType == typeof(string),
        _ => false,
    };

    /// <summary>The type that wrote the document, where it is one of those that were asked for.</summary>
    private Type ConcreteType(JsonElement document, Type asked)
    {
        if ((asked.IsSealed && asked != typeof(object)) || document.ValueKind != JsonValueKind.Object
            || !document.TryGetProperty(MetadataName, out JsonElement metadata)
            || !metadata.TryGetProperty("Raven-Clr-Type", out JsonElement name) || name.GetString() is not { } text)
        {
            return asked == typeof(object) ? typeof(JsonObject) : asked;
        }

        Type? written = WrittenType(text);
        return written != null && asked.IsAssignableFrom(written) && written is { IsAbstract: false, IsClass: true }
            ? written
            : asked == typeof(object) ? typeof(JsonObject) : asked;
    }

    private Type? WrittenType(string name)
    {
        if (!_writtenTypes.TryGetValue(name, out Type? type))
        {
            type = Type.GetType(name, throwOnError: false);
            if (_writtenTypes.Count < WrittenTypesMax)
            {
                _writtenTypes[name] = type;
            }
        }

        return type;
    }

    private void LeaveOutIdentity(JsonTypeInfo type)
    {
        if (type.Kind != JsonTypeInfoKind.Object || IdentityOf(type.Type) is not { } identity)
        {
            return;
        }

        foreach (JsonPropertyInfo property in type.Properties)
        {
            if (property.AttributeProvider is MemberInfo member && member.Name == identity.Name)
            {
                property.ShouldSerialize = static (entity, _) => !ReferenceEquals(entity, _root);
            }
        }
    }
}

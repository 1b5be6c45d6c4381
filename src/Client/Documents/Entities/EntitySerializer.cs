using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Documents.Conventions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Entities;

/// <summary>
/// Entities to JSON and back. The id of the outermost object is no part of the document; that of an object inside it
/// is. Safe for all threads.
/// </summary>
internal sealed class EntitySerializer
{
    internal const string MetadataName = "@metadata";

    /// <summary>
    /// Why the trimming warnings are suppressed: a trimmed application must keep the types of its
    /// documents. Annotations would be needed on every method of sessions and queries, and would not reach
    /// the types of properties.
    /// </summary>
    private const string TypesAreKept = "The application keeps the types of its documents: docs/client.md.";

    /// <summary>The entity that this thread writes: its own id is left out, but not the ids of objects in it.</summary>
    [ThreadStatic]
    private static object? _root;

    /// <summary>The most type names of documents that are kept: documents from other sources can name any.</summary>
    private const int WrittenTypesMax = 1024;

    private static readonly Comparer<byte[]> Bytes =
        Comparer<byte[]>.Create(static (left, right) => left.AsSpan().SequenceCompareTo(right));

    private static readonly ConditionalWeakTable<Type, string> WrittenNames = [];

    private readonly DocumentConventions _conventions;
    private readonly ConcurrentDictionary<Type, MemberInfo?> _identities = new();
    private readonly ConcurrentDictionary<Type, object> _readers = new();
    private readonly ConcurrentDictionary<MemberInfo, string> _names = new();
    private readonly ConcurrentDictionary<string, Type?> _writtenTypes = new(StringComparer.Ordinal);

    [UnconditionalSuppressMessage("Trimming", "IL2026:RequiresUnreferencedCode", Justification = TypesAreKept)]
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
        options.Converters.Add(new MetadataDictionaryConverter());
        if (!conventions.SaveEnumsAsIntegers)
        {
            options.Converters.Add(new JsonStringEnumConverter());
        }

        conventions.CustomizeSerializer?.Invoke(options);
        var resolver = options.TypeInfoResolver ?? new DefaultJsonTypeInfoResolver();
        options.TypeInfoResolver = resolver.WithAddedModifier(LeaveOutIdentity).WithAddedModifier(Arrange);
        options.MakeReadOnly();
        Options = options;
        NameOf = member => _names.GetOrAdd(member, static (key, self) => self.FindName(key), this);
    }

    internal JsonSerializerOptions Options { get; }

    /// <summary>The name that a member has in documents.</summary>
    internal Func<MemberInfo, string> NameOf { get; }

    /// <summary>The path in a document that a lambda reads.</summary>
    /// <exception cref="NotSupportedException">The lambda is no path; the message names it.</exception>
    internal string PathOf(LambdaExpression lambda) => MemberPath.Of(lambda.Body, NameOf);

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
    internal ReadOnlyMemory<byte> ToJson(object entity) =>
        JsonScratch.Write((Self: this, Entity: entity), static (writer, it) => it.Self.Write(writer, it.Entity));

    /// <summary>A value of a parameter or a script as JSON.</summary>
    internal void WriteValue(Utf8JsonWriter writer, object? value)
    {
        if (value is null)
        {
            writer.WriteNullValue();
        }
        else if (value.GetType().Assembly == typeof(EntitySerializer).Assembly
            && WireTypes.Default.GetTypeInfo(value.GetType()) is { } type)
        {
            // Objects of the client's own options are read by the server, by the names that they have here.
            JsonSerializer.Serialize(writer, value, type);
        }
        else
        {
            JsonSerializer.Serialize(writer, value, Options.GetTypeInfo(value.GetType()));
        }
    }

    /// <summary>The reader of the entities of a type.</summary>
    internal EntityReader<T> ReaderOf<T>() =>
        (EntityReader<T>)_readers.GetOrAdd(typeof(T), static (_, self) => new EntityReader<T>(self), this);

    /// <summary>The entity of a document, with the id that is given.</summary>
    /// <param name="document">The document, with or without its metadata.</param>
    /// <param name="type">The requested type.</param>
    /// <param name="id">Its id; null to set none.</param>
    internal object FromJson(JsonElement document, Type type, string? id) =>
        FromJson(JsonMarshal.GetRawUtf8Value(document), type, id);

    /// <summary>The entity of a document, with the id that is given.</summary>
    internal object FromJson(ReadOnlySpan<byte> document, Type type, string? id)
    {
        DocumentHead head = DocumentHead.Of(document);
        object entity = FromJson(document, type, in head);
        if (id != null)
        {
            SetId(entity, id);
        }

        return entity;
    }

    /// <summary>The entity of a document whose metadata has been read; its id is not set.</summary>
    internal object FromJson(ReadOnlySpan<byte> document, Type type, in DocumentHead head)
    {
        object entity = JsonSerializer.Deserialize(document, Options.GetTypeInfo(ConcreteType(head.WrittenType, type)))
            ?? throw new JsonException($"The document {head.Id} is null and cannot become a {type.Name}.");
        if (entity is JsonObject json)
        {
            json.Remove(MetadataName);
        }

        return entity;
    }

    /// <summary>The name of a type as documents have it.</summary>
    internal static string WrittenNameOf(Type type) => WrittenNames.GetValue(
        type, static key => $"{key.FullName}, {key.Assembly.GetName().Name}");

    /// <summary>
    /// The type that a document was written from, if the requested type can hold it; otherwise the requested type.
    /// </summary>
    /// <param name="written">Its name; null if it is not known.</param>
    /// <param name="asked">The requested type.</param>
    internal Type ConcreteType(string? written, Type asked)
    {
        Type plain = asked == typeof(object) ? typeof(JsonObject) : asked;
        return written is null || asked.IsSealed || WrittenType(written) is not { } type
            || !asked.IsAssignableFrom(type) || type is not { IsAbstract: false, IsClass: true }
                ? plain
                : type;
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
        Options.GetTypeInfo(type).Properties.Where(property => !MetadataProperty.Is(property))
            .Select(property => property.Name);

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

    /// <summary>The member that holds the id of a type; null if it has none.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070:UnrecognizedReflectionPattern", Justification = TypesAreKept)]
    internal MemberInfo? IdentityOf(Type type) => _identities.GetOrAdd(type, static (key, self) =>
        key.GetMembers(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            .FirstOrDefault(member => self.IsText(member) && self._conventions.FindIdentityProperty(member)), this);

    private string FindName(MemberInfo member)
    {
        Type type = member.DeclaringType!;
        bool isPair = type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>);
        if (!isPair && type.Namespace?.Split('.')[0] == nameof(System))
        {
            return member.Name;
        }

        JsonPropertyInfo? property = isPair ? null : Options.GetTypeInfo(type).Properties.FirstOrDefault(
            one => one.AttributeProvider is MemberInfo known && known.Name == member.Name);
        return property?.Name ?? Options.PropertyNamingPolicy?.ConvertName(member.Name) ?? member.Name;
    }

    private bool IsText(MemberInfo member) => member switch
    {
        PropertyInfo property => property.PropertyType == typeof(string) && property.GetIndexParameters().Length == 0,
        FieldInfo field => field.FieldType == typeof(string),
        _ => false,
    };

    [UnconditionalSuppressMessage("Trimming", "IL2057:UnrecognizedReflectionPattern", Justification = TypesAreKept)]
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

    /// <summary>
    /// Puts the properties in the order in which the server keeps and sends them, that of the bytes of their names, so
    /// that an unchanged entity is written exactly like its document.
    /// </summary>
    private static void Arrange(JsonTypeInfo type)
    {
        if (type.Kind == JsonTypeInfoKind.Object)
        {
            int order = 0;
            foreach (JsonPropertyInfo property in type.Properties
                .OrderBy(one => Encoding.UTF8.GetBytes(one.Name), Bytes))
            {
                property.Order = order++;
            }

            MetadataProperty.AddTo(type);
        }
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

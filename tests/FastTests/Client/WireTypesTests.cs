using System.Collections;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.ServerWide;

namespace FastTests.Client;

/// <summary>What is generated to read and write the client's own types does it as reflection does.</summary>
public sealed class WireTypesTests
{
    private static readonly JsonSerializerOptions Reflecting = new()
    {
        Converters = { new JsonStringEnumConverter() },
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
    };

    /// <summary>Shows what is null, too.</summary>
    private static readonly JsonSerializerOptions Showing = new(Reflecting)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.Never,
    };

    /// <summary>Options of queries, whose defaults are numbers: they are sent, and never read.</summary>
    private static readonly Type[] OnlySent =
        [typeof(FacetOptions), typeof(MoreLikeThisOptions), typeof(SuggestionOptions)];

    public static TheoryData<Type> ReadTypes => [.. All().Except(OnlySent)];

    public static TheoryData<Type> Types => [.. All()];

    private static IEnumerable<Type> All() => typeof(WireTypes).GetCustomAttributesData()
        .Concat(typeof(ServerTypes).GetCustomAttributesData())
        .Where(attribute => attribute.AttributeType == typeof(JsonSerializableAttribute))
        .Select(attribute => (Type)attribute.ConstructorArguments[0].Value!)
        .SelectMany(type => Within(type)).Distinct();

    [Theory]
    [MemberData(nameof(ReadTypes))]
    public void A_missing_member_of_a_wire_type_has_its_default(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        string json = IsList(type) ? "[]" : "{}";
        Assert.Equal(Shown(JsonSerializer.Deserialize(json, type, Reflecting), type), Read(json, type));
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void Every_member_of_a_wire_type_is_read_and_written(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        string json = SampleOf(type, 0)!.ToJsonString();
        object sample = JsonSerializer.Deserialize(json, type, Reflecting)!;
        Assert.Equal(Shown(sample, type), Read(json, type));
        string written = JsonSerializer.Serialize(sample, InfoOf(type));
        Assert.Equal(JsonSerializer.Serialize(sample, type, Reflecting), written);
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(json), JsonNode.Parse(written)), $"{json}\n{written}");
    }

    [Fact]
    public void A_member_that_is_null_is_not_sent() =>
        Assert.Equal("""{"Mode":"Unlock"}""", System.Text.Encoding.UTF8.GetString(
            WireTypes.Write(new RequestBody { Mode = "Unlock" })));

    [Fact]
    public void A_type_that_is_no_wire_type_is_refused_with_its_name() => Assert.Contains(
        nameof(WireTypesTests),
        Assert.Throws<InvalidOperationException>(() => WireTypes.Write(this)).Message, StringComparison.Ordinal);

    private static string Read(string json, Type type) => Shown(JsonSerializer.Deserialize(json, InfoOf(type)), type);

    private static string Shown(object? value, Type type) => JsonSerializer.Serialize(value, type, Showing);

    private static JsonTypeInfo InfoOf(Type type)
    {
        JsonTypeInfo? info = WireTypes.Default.GetTypeInfo(type) ?? ServerTypes.Default.GetTypeInfo(type);
        Assert.NotNull(info);
        return info;
    }

    /// <summary>The type, if it is an object or a list, and all such types in its properties and items.</summary>
    private static HashSet<Type> Within(Type type, HashSet<Type>? found = null)
    {
        found ??= [];
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        if (plain == typeof(string) || plain.IsValueType || !found.Add(plain))
        {
            return found;
        }

        foreach (Type inner in ItemOf(plain) is { } item ? [item] : PropertiesOf(plain).Select(one => one.PropertyType))
        {
            Within(inner, found);
        }

        return found;
    }

    private static JsonNode? SampleOf(Type type, int depth)
    {
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        if (ItemOf(plain) is { } item)
        {
            JsonNode? one = depth > 6 ? null : SampleOf(item, depth + 1);
            return IsList(plain) ? new JsonArray(one) : new JsonObject(one is null ? [] : [new("one", one)]);
        }

        return plain == typeof(string) ? "text"
            : plain == typeof(bool) ? true
            : plain == typeof(DateTime) ? "2026-01-02T03:04:05.6Z"
            : plain == typeof(TimeSpan) ? "01:02:03"
            : plain.IsEnum ? Enum.GetNames(plain)[^1]
            : plain == typeof(double) ? 1.5
            : plain.IsPrimitive ? 7
            : new JsonObject(PropertiesOf(plain).Select(
                property => KeyValuePair.Create(property.Name, SampleOf(property.PropertyType, depth + 1))));
    }

    private static bool IsList(Type type) => typeof(IEnumerable).IsAssignableFrom(type) && !IsMap(type);

    private static bool IsMap(Type type) => type.IsGenericType && type.GetGenericArguments().Length == 2;

    /// <summary>What a list or a dictionary holds; null for other types.</summary>
    private static Type? ItemOf(Type type) => type == typeof(string) ? null
        : type.IsArray ? type.GetElementType()
        : typeof(IEnumerable).IsAssignableFrom(type) ? type.GetGenericArguments()[^1]
        : null;

    private static PropertyInfo[] PropertiesOf(Type type) =>
        type.GetProperties(BindingFlags.Instance | BindingFlags.Public);
}

using System.Collections.Concurrent;

namespace Raven.Client.Documents.Conventions;

/// <summary>The collection name of each type, computed once.</summary>
internal sealed class CollectionNameCache(DocumentConventions conventions)
{
    private readonly ConcurrentDictionary<Type, string> _names = new();

    internal string Get(Type type) => _names.GetOrAdd(type, Find, conventions);

    private static string Find(Type type, DocumentConventions conventions)
    {
        if (conventions.FindCollectionName?.Invoke(type) is { } named)
        {
            return named;
        }

        if (type == typeof(System.Text.Json.Nodes.JsonObject) || type == typeof(object))
        {
            return "@empty";
        }

        string name = type.IsGenericType ? type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)] : type.Name;
        return EnglishPlural.Of(name);
    }
}

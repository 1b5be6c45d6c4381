using System.Text.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Catalog;
using Raven.Documents.Settings;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http;

namespace Raven.Server.Handlers;

/// <summary>What the audit log has of events beside their names: names, never values.</summary>
internal static class DatabaseEvents
{
    /// <summary>One detail.</summary>
    internal static IReadOnlyList<KeyValuePair<string, string>> Of(string name, string value) => [new(name, value)];

    /// <summary>The names of the members of an object.</summary>
    internal static string NamesIn(byte[] json)
    {
        using JsonDocument document = StoredJson.Parse(json.AsMemory());
        return string.Join(", ", document.RootElement.EnumerateObject().Select(member => member.Name));
    }

    /// <summary>A database is about to be created: which members its record has, and who gets in by rights that were
    /// given for its name before.</summary>
    internal static void AnnounceCreation(RequestContext request, string name, BlittableObject record)
    {
        if (!DatabaseName.IsValid(name) || request.Server.Databases.TryGet(name, out _))
        {
            return;
        }

        TrustSnapshot trust = request.Server.Security.Trust.Current;
        string[] getIn =
        [
            .. trust.Certificates.Select(one => one.Identity).Concat(trust.Keys.Select(one => one.Identity))
                .Where(one => one.Permissions.To(name) != DatabaseRight.None)
                .Select(one => $"{one.Name} ({one.Permissions.To(name)})"),
        ];
        request.Announce(database: name, detail:
        [
            new("members", MembersOf(record)), new("getIn", string.Join(", ", getIn)),
        ]);
    }

    /// <summary>The record of a database is about to be replaced.</summary>
    internal static void AnnounceChange(RequestContext request, string name, BlittableObject record)
    {
        if (request.Server.Databases.TryGet(name, out _))
        {
            request.Announce("database.changed", name, detail: Of("members", MembersOf(record)));
        }
    }

    private static string MembersOf(BlittableObject record)
    {
        List<string> names = [];
        for (int i = 0; i < record.Count; i++)
        {
            names.Add(record.GetProperty(i).GetName());
        }

        return string.Join(", ", names);
    }
}

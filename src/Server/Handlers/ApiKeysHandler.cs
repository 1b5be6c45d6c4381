using System.Net;
using System.Text;
using System.Text.Json;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes of API keys. A key is in one answer, the one that makes it.</summary>
internal static class ApiKeysHandler
{
    private const int NetworksMax = 64;
    private const int ScopesMax = 8;

    private static readonly string[] Members =
        ["Name", "SecurityClearance", "Permissions", "Scopes", "ExpiresAt", "AllowedAddresses"];

    [Route("POST", "/admin/api-keys", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Makes an API key, which is shown this once", Query = "raft-request-id")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        RegisteredKey wanted = await ReadAsync(request).ConfigureAwait(false);
        RegisteredKey entry = wanted;
        string key = "";
        TrustRequests.ApplyOnce(
            request, () => key = request.Server.Security.Trust.Keys.Create(request.Identity, wanted, out entry));
        request.Response.Status = 201;
        IdentityJson.Write(request.Response.BeginJson(), entry, key);
    }

    [Route("GET", "/admin/api-keys", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "The API keys, without their secrets", Query = "start:int, pageSize:int, id")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        TrustRequests.CheckMayRead(request);
        TrustSnapshot trust = request.Server.Security.Trust.Current;
        IEnumerable<RegisteredKey> found = trust.Keys;
        if (request.Query.GetText("id") is { } id)
        {
            if (trust.FindKey(id) is not { } one)
            {
                AnswerMissing(request);
                return ValueTask.CompletedTask;
            }

            found = [one];
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (RegisteredKey entry in TrustRequests.PageOf(request, found))
        {
            IdentityJson.Write(json, entry, key: null);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/admin/api-keys", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Gives an API key another name or other rights", Query = "id!, raft-request-id")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        string id = IdIn(request);
        RegisteredKey wanted = await ReadAsync(request).ConfigureAwait(false);
        TrustRequests.TryApply(
            request, () => request.Server.Security.Trust.Keys.Edit(request.Identity, id, wanted));
        request.Response.Status = 204;
    }

    [Route("POST", "/admin/api-keys/rotate", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Replaces the secret of an API key; the one before counts for a while",
        Query = "id!, graceSec:int, raft-request-id")]
    internal static ValueTask RotateAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        string id = IdIn(request);
        var grace = TimeSpan.FromSeconds(request.Query.GetInt32("graceSec", 0));
        string key = "";
        TrustRequests.ApplyOnce(
            request, () => key = request.Server.Security.Trust.Keys.Rotate(request.Identity, id, grace));
        if (request.Server.Security.Trust.Current.FindKey(id) is { } entry)
        {
            IdentityJson.Write(request.Response.BeginJson(), entry, key);
        }
        else
        {
            AnswerMissing(request);
        }

        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/admin/api-keys", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Ends an API key", Query = "id!, raft-request-id")]
    internal static ValueTask DeleteAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        string id = IdIn(request);
        TrustRequests.TryApply(
            request, () => request.Server.Security.Trust.Keys.Delete(request.Identity, id));
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    private static string IdIn(RequestContext request) =>
        Encoding.UTF8.GetString(request.RequiredUtf8("id").Span);

    private static void AnswerMissing(RequestContext request) => ErrorResponse.Write(
        request, 404, ErrorType.Argument, "There is no API key with this id.");

    /// <summary>What a body wants of a key; the registry fills in what it is found by and when it was made.</summary>
    private static async ValueTask<RegisteredKey> ReadAsync(RequestContext request)
    {
        IdentityBody body = await IdentityBody.ReadAsync(request, Members).ConfigureAwait(false);
        Clearance clearance = body.ReadClearance();
        return new RegisteredKey
        {
            Id = "",
            Hash = [],
            Name = body.ReadName(),
            Clearance = clearance,
            Permissions = ReadPermissions(body, clearance),
            MayMonitor = MayMonitor(body),
            AllowedAddresses =
                [.. body.Texts("AllowedAddresses", NetworksMax).Select(NetworkOf)],
            ExpiresAt = body.Has("ExpiresAt")
                ? body.TimeAfter(request.Server.Time.GetUtcNow(), "ExpiresAt")
                : throw IdentityBody.Bad("ExpiresAt is missing: a time, or null for a key that does not end."),
            CreatedAt = default,
            CreatedBy = "",
        };
    }

    /// <summary>A key for the metrics alone needs no database.</summary>
    private static Permissions ReadPermissions(IdentityBody body, Clearance clearance) =>
        !body.Has("Permissions") && MayMonitor(body) ? Permissions.None : body.ReadPermissions(clearance);

    private static bool MayMonitor(IdentityBody body)
    {
        IReadOnlyList<string> scopes = body.Texts("Scopes", ScopesMax);
        return scopes.All(scope => scope == IdentityJson.Monitoring)
            ? scopes.Count > 0
            : throw IdentityBody.Bad($"Scopes has {IdentityJson.Monitoring}, or nothing.");
    }

    /// <summary>A network, or an address for a network of one.</summary>
    private static IPNetwork NetworkOf(string text)
    {
        // Of the forms that .NET reads, such as 10.1 for 10.0.0.1, only the one that it writes is taken: an address
        // that its writer reads otherwise would let others in.
        if (IPAddress.TryParse(text, out IPAddress? address))
        {
            IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
            if (text.Contains(':', StringComparison.Ordinal) ? !text.Contains('%', StringComparison.Ordinal)
                : plain.ToString() == text)
            {
                return new IPNetwork(plain, plain.GetAddressBytes().Length * 8);
            }
        }

        return IPNetwork.TryParse(text, out IPNetwork network) && !network.BaseAddress.IsIPv4MappedToIPv6
            && (text.Contains(':', StringComparison.Ordinal) || network.ToString() == text)
            ? network
            : throw IdentityBody.Bad(
                "AllowedAddresses has addresses and networks, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32; the bits "
                + "behind the length of a network are zero.");
    }
}

using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace SlowTests.Security;

/// <summary>
/// One client that registers, edits and deletes certificates and keys, one change after the other, and knows what was
/// acknowledged. A change without an answer may be made or not; a check finds out, and takes that as known.
/// </summary>
/// <param name="number">Its number among the clients, which is in its names.</param>
/// <param name="seed">The choices.</param>
internal sealed class TrustLedger(int number, int seed)
{
    private const int NamesMin = 3;
    private const int NamesMax = 12;

    private static readonly string[] Rights = ["Read", "ReadWrite", "Admin"];

    private readonly Random _random = new((seed * 100) + number);
    private readonly Dictionary<string, string> _known = [];
    private int _made;

    private (string Name, string? Right)? _open;

    /// <summary>How many changes were acknowledged.</summary>
    internal int Acknowledged { get; private set; }

    /// <summary>Makes changes until the server is gone.</summary>
    internal async Task RunAsync(HttpClient admin)
    {
        try
        {
            while (true)
            {
                await ChangeAsync(admin);
            }
        }
        catch (Exception gone) when (gone is HttpRequestException or IOException or SocketException)
        {
            // It was killed.
        }
    }

    /// <summary>Compares all that is registered under this client's names with what it knows.</summary>
    /// <param name="registered">The rights to the database red by name.</param>
    internal List<string> Check(IReadOnlyDictionary<string, string> registered)
    {
        List<string> problems = [];
        if (_open is { } open)
        {
            string? found = registered.GetValueOrDefault(open.Name);
            string? before = _known.GetValueOrDefault(open.Name);
            if (found != open.Right && found != before)
            {
                problems.Add($"{open.Name} has {found ?? "nothing"}, neither {before ?? "nothing"} nor {open.Right}");
            }

            Keep(open.Name, found);
            _open = null;
        }

        problems.AddRange(_known.Where(one => registered.GetValueOrDefault(one.Key) != one.Value).Select(one =>
            $"{one.Key} was acknowledged with {one.Value}, has {registered.GetValueOrDefault(one.Key) ?? "nothing"}"));
        problems.AddRange(registered.Keys
            .Where(name => name.StartsWith($"w{number}-", StringComparison.Ordinal) && !_known.ContainsKey(name))
            .Select(name => $"{name} is there, though its deletion was acknowledged"));
        return problems;
    }

    private async Task ChangeAsync(HttpClient admin)
    {
        string[] names = [.. _known.Keys];
        int kind = names.Length < NamesMin ? 0 : _random.Next(names.Length < NamesMax ? 0 : 2, 4);
        string right = Rights[_random.Next(Rights.Length)];
        string name = kind < 2 ? $"w{number}-{_made++}" : names[_random.Next(names.Length)];
        _open = (name, kind == 3 ? null : right);
        bool isKey = kind < 2 ? _made % 2 == 0 : await ThumbprintAsync(admin, name) is null;
        HttpStatusCode status = (kind, isKey) switch
        {
            ( < 2, true) => await SendAsync(admin, HttpMethod.Post, "/admin/api-keys", KeyBody(name, right)),
            ( < 2, false) => await SendAsync(admin, HttpMethod.Put, "/admin/certificates", NewBody(name, right)),
            (2, true) => await SendAsync(
                admin, HttpMethod.Put, $"/admin/api-keys?id={await KeyIdAsync(admin, name)}", KeyBody(name, right)),
            (2, false) => await SendAsync(
                admin, HttpMethod.Post, "/admin/certificates/edit",
                Body(name, right, ("Thumbprint", await ThumbprintAsync(admin, name)))),
            (_, true) => await SendAsync(
                admin, HttpMethod.Delete, $"/admin/api-keys?id={await KeyIdAsync(admin, name)}", null),
            _ => await SendAsync(
                admin, HttpMethod.Delete, $"/admin/certificates?thumbprint={await ThumbprintAsync(admin, name)}",
                null),
        };
        Assert.InRange((int)status, 200, 299);
        Keep(name, _open.Value.Right);
        _open = null;
        Acknowledged++;
    }

    private void Keep(string name, string? right)
    {
        if (right == null)
        {
            _known.Remove(name);
        }
        else
        {
            _known[name] = right;
        }
    }

    private static JsonObject NewBody(string name, string right)
    {
        using X509Certificate2 certificate = SecuredProcess.NewCertificate(name);
        return Body(name, right, ("Certificate", Convert.ToBase64String(certificate.RawData)));
    }

    private static JsonObject KeyBody(string name, string right) => Body(name, right, ("ExpiresAt", null));

    private static JsonObject Body(string name, string right, (string Name, string? Value) more) => new()
    {
        ["Name"] = name,
        ["SecurityClearance"] = "ValidUser",
        ["Permissions"] = new JsonObject { ["red"] = right },
        [more.Name] = more.Value,
    };

    private static async Task<HttpStatusCode> SendAsync(
        HttpClient admin, HttpMethod method, string path, JsonObject? body)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = body == null ? null : JsonContent.Create(body, options: JsonSerializerOptions.Default),
        };
        using HttpResponseMessage answer = await admin.SendAsync(request);
        return answer.StatusCode;
    }

    private static Task<string?> ThumbprintAsync(HttpClient admin, string name) =>
        MemberAsync(admin, $"/admin/certificates?metadataOnly=true&name={name}", name, "Thumbprint");

    private static Task<string?> KeyIdAsync(HttpClient admin, string name) =>
        MemberAsync(admin, "/admin/api-keys", name, "Id");

    private static async Task<string?> MemberAsync(HttpClient admin, string path, string name, string member)
    {
        using JsonDocument list = JsonDocument.Parse(await admin.GetStringAsync(new Uri(path, UriKind.Relative)));
        foreach (JsonElement one in list.RootElement.GetProperty("Results").EnumerateArray())
        {
            if (one.GetProperty("Name").GetString() == name)
            {
                return one.GetProperty(member).GetString();
            }
        }

        return null;
    }
}

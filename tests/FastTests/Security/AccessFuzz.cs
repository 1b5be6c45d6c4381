using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>
/// Changed headers, certificates and bodies, sent to a secured server: none is answered by a 500, and none gives a
/// right that it does not name. A case is made of the seed and its number alone: the message of a failure names both.
/// </summary>
internal sealed class AccessFuzz
{
    private const string Target = "/databases/red/stats/essential";
    private const int CasesOfConnection = 64;

    private readonly SecuredServer _secured;
    private readonly int _seed;
    private readonly string _key;
    private readonly byte[][] _headers;
    private readonly byte[][] _certificates;
    private readonly (string Method, string Path, byte[] Body)[] _bodies;
    private readonly byte[][] _words;
    private readonly HashSet<string> _digests;
    private readonly HashSet<string> _keys;

    internal AccessFuzz(SecuredServer secured, int seed)
    {
        _secured = secured;
        _seed = seed;
        string key = secured.Caller("K").Header!;
        _key = key["Bearer ".Length..];
        string monitoring = secured.Caller("M").Header!;
        _headers =
        [
            .. new[]
            {
                key, monitoring, key.ToUpperInvariant(), "bearer  " + _key, "Basic " + _key,
                "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIiwicm9sZXMiOlsiYWRtaW4iXX0.",
                "Bearer eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLy4uIn0.eyJleHAiOjk5OTk5OTk5OTl9.c2lnbmF0dXJl",
                "Bearer", "Bearer ", "",
            }.Select(Encoding.Latin1.GetBytes),
        ];
        using X509Certificate2 own = TestCertificates.Make("fuzz");
        _certificates = MakeCertificates(own);
        string thumbprint = secured.Caller("R").Certificate!.Thumbprint;
        string administrator = secured.Caller("C").Certificate!.Thumbprint;
        _bodies = MakeBodies(own, thumbprint);
        _words =
        [
            .. new[]
            {
                "ValidUser", "Operator", "ClusterAdmin", "ClusterNode", "Read", "ReadWrite", "Admin", "red", "blue",
                "\"Permissions\":{\"blue\":\"Admin\"},", "\"SecurityClearance\":\"ClusterAdmin\",", "null", "{}",
                "\"\\u0050ermissions\":", "\\ud800", "\ufeff", "\"", "{\"", "1e999", "-1", "*", "[]",
                thumbprint, administrator,
                "-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\n", "rvk_",
                "Bearer ", "0.0.0.0/0", "2030-01-31T00:00:00Z", "\"Scopes\":[\"monitoring\"],",
            }.Select(Encoding.UTF8.GetBytes),
            [0x30, 0x82, 0xff, 0xff], [0x30, 0x80], [0x02, 0x84, 0x7f, 0xff, 0xff, 0xff], [0x05, 0x00],
        ];
        _digests = [.. secured.Trust.Current.Certificates.Select(one => one.Certificate.Digest)];
        _keys = [.. secured.Trust.Current.Keys.Select(one => one.Id)];
    }

    /// <summary>Sends changed <c>Authorization</c> headers, from a caller that has nothing else.</summary>
    internal void SendHeaders(int first, int count)
    {
        InMemoryRequest? request = null;
        for (int number = first; number < first + count; number++)
        {
            // Failed logins are counted by address: with a new one the header is looked at without a limit.
            request = request == null || number % CasesOfConnection == 0
                ? _secured.Request(new TestCaller(), "GET", Target)
                : request;
            InMemoryRequest sent = request;
            Check("header", number, random => SendHeader(sent, random));
        }
    }

    /// <summary>Has an operator register changed certificates.</summary>
    internal void SendCertificates(int first, int count)
    {
        for (int number = first; number < first + count; number++)
        {
            Check("certificate", number, random =>
            {
                byte[] original = _certificates[random.Next(_certificates.Length)];
                byte[] changed = new ByteMutation(random, _words).Change(original);
                string body = "{\"Name\":\"f\",\"SecurityClearance\":\"ValidUser\",\"Permissions\":{\"red\":\"Read\"},"
                    + $"\"Certificate\":\"{Convert.ToBase64String(changed)}\"}}";
                return SendAsOperator("PUT", "/admin/certificates", Encoding.ASCII.GetBytes(body));
            });
        }
    }

    /// <summary>Has an operator send changed bodies that say who may do what.</summary>
    internal void SendBodies(int first, int count)
    {
        for (int number = first; number < first + count; number++)
        {
            Check("body", number, random =>
            {
                (string method, string path, byte[] body) = _bodies[random.Next(_bodies.Length)];
                return SendAsOperator(method, path, new ByteMutation(random, _words).Change(body));
            });
        }
    }

    private void Check(string kind, int number, Func<Random, string?> send)
    {
        string? fault;
        try
        {
            fault = send(new Random(unchecked((_seed * 1_000_003) + number)));
        }
        catch (Exception e) when (e is not Xunit.Sdk.XunitException)
        {
            fault = e.ToString();
        }

        Assert.True(fault == null, $"{kind} {number} of seed {_seed}: {fault}");
    }

    private string? SendHeader(InMemoryRequest request, Random random)
    {
        string header = Encoding.Latin1.GetString(
            new ByteMutation(random, _words).Change(_headers[random.Next(_headers.Length)]));
        bool isTwo = random.Next(20) == 0;
        ((IHeaderDictionary)request.Request).Authorization =
            isTwo ? new StringValues([header, "Bearer x"]) : header;
        int status = _secured.Server.Send(request);
        bool isKey = !isTwo && header.StartsWith("Bearer ", StringComparison.OrdinalIgnoreCase)
            && header["Bearer ".Length..].Trim(' ') == _key;
        bool isRight = status is 401 or 429 || (status == 200 && isKey) || (status == 403 && !isTwo
            && header.Contains(_secured.Caller("M").Header![^50..], StringComparison.Ordinal));
        return isRight ? null : $"{status} for '{header}'";
    }

    private string? SendAsOperator(string method, string path, byte[] body)
    {
        var request = new InMemoryRequest(method, path, "", body)
        {
            ClientCertificate = _secured.Caller("O").Certificate,
            RemoteIpAddress = _secured.NextAddress(),
            MayBeAborted = true,
        };
        int status = _secured.Server.Send(request);
        string shown = Encoding.Latin1.GetString(body);
        if (status is not (201 or 204 or 400 or 403 or 413 or 501))
        {
            return $"{status} {request.Answer} for {shown}";
        }

        return status is 201 or 204 ? JudgeRights(shown) : null;
    }

    /// <summary>What counts now names no right that the body does not; then all is as before again.</summary>
    private string? JudgeRights(string body)
    {
        string? fault = null;
        foreach (RegisteredCertificate one in _secured.Trust.Current.Certificates)
        {
            bool isNew = !_digests.Contains(one.Certificate.Digest);
            if (isNew)
            {
                fault ??= Judge(one.Clearance, one.Permissions, body);
                _secured.Trust.Certificates.Delete(TrustFixture.Local, one.Certificate.Thumbprint);
            }
            else if (one.Certificate.Thumbprint == _secured.Caller("R").Certificate!.Thumbprint)
            {
                fault ??= Judge(one.Clearance, one.Permissions, body + "ValidUser Read");
                _secured.Narrow(_secured.Caller("R").Certificate!, DatabaseRight.Read);
            }
        }

        foreach (RegisteredKey one in _secured.Trust.Current.Keys.Where(one => !_keys.Contains(one.Id)))
        {
            fault ??= Judge(one.Clearance, one.Permissions, body);
            _secured.Trust.Keys.Delete(TrustFixture.Local, one.Id);
        }

        return fault ?? (_secured.Send("C", "GET", "/admin/certificates").StatusCode == 200
            ? null
            : $"the administrator is none any more after {body}");
    }

    private static string? Judge(Clearance clearance, Permissions permissions, string body)
    {
        bool isNamed = clearance < Clearance.ClusterNode
            && body.Contains(Clearances.NameOf(clearance), StringComparison.Ordinal)
            && permissions.All.All(one => body.Contains(Clearances.NameOf(one.Value), StringComparison.Ordinal));
        return isNamed ? null : $"{clearance} {permissions.All.Count} for {body}";
    }

    private static byte[][] MakeCertificates(X509Certificate2 own)
    {
        using X509Certificate2 other = TestCertificates.Make("other");
        using ECDsa key = own.GetECDsaPrivateKey()!;
        string pem = own.ExportCertificatePem();
        return
        [
            own.RawData,
            Encoding.ASCII.GetBytes(pem),
            Encoding.ASCII.GetBytes(pem + "\n" + other.ExportCertificatePem()),
            Encoding.ASCII.GetBytes(pem + "\n" + key.ExportPkcs8PrivateKeyPem()),
            own.ExportPkcs12(Pkcs12ExportPbeParameters.Pkcs12TripleDesSha1, password: null),
        ];
    }

    private static (string Method, string Path, byte[] Body)[] MakeBodies(X509Certificate2 own, string thumbprint)
    {
        string certificate = Convert.ToBase64String(own.RawData);
        return
        [
            ("PUT", "/admin/certificates", Encoding.UTF8.GetBytes(
                "{\"Name\":\"f\",\"SecurityClearance\":\"ValidUser\",\"Permissions\":{\"red\":\"Read\"},"
                + $"\"Certificate\":\"{certificate}\"}}")),
            ("PUT", "/admin/certificates", Encoding.UTF8.GetBytes(
                $"{{\"Certificate\":\"{certificate}\",\"Name\":\"\\u00fc\",\"SecurityClearance\":\"Operator\"}}")),
            ("POST", "/admin/certificates/edit", Encoding.UTF8.GetBytes(
                $"{{\"Thumbprint\":\"{thumbprint}\",\"Name\":\"R\",\"SecurityClearance\":\"ValidUser\","
                + "\"Permissions\":{\"red\":\"Read\"}}")),
            ("POST", "/admin/api-keys", Encoding.UTF8.GetBytes(
                "{\"Name\":\"k\",\"SecurityClearance\":\"ValidUser\",\"Permissions\":{\"red\":\"ReadWrite\"},"
                + "\"ExpiresAt\":\"2030-01-31T00:00:00Z\",\"AllowedAddresses\":[\"10.0.0.0/8\"],"
                + "\"Scopes\":[\"monitoring\"]}")),
        ];
    }
}

using System.Text.Json;
using FastTests.Server;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing;
using Raven.Security.Rights;
using Raven.Server.Handlers;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace FastTests.Security;

/// <summary>Which lines requests make in the audit log, and what happens while it cannot be written.</summary>
[Trait("Security", "61")]
public sealed class AuditEventsTests
{
    /// <summary>The event of a new subscription; it is refused if there is one of the name.</summary>
    private const string Subscribed = "subscription.put";

    /// <summary>Handlers whose lines the registry of who is trusted writes.</summary>
    private static readonly Type[] OfRegistry = [typeof(CertificatesHandler), typeof(ApiKeysHandler)];

    /// <summary>Handlers that do nothing without a cluster.</summary>
    private static readonly Type[] OfClusters = [typeof(ClusterHandler), typeof(DatabaseNodesHandler)];

    [Fact]
    [Trait("Invariant", "TRAIL-2")]
    public void Each_request_makes_its_line()
    {
        using var audited = new AuditedServer();
        foreach (AuditCase one in AuditCase.All)
        {
            int before = audited.Lines.Length;
            (int status, string answer) = one.Send(audited.Server);
            string[] lines = audited.Lines[before..];
            Assert.True(lines.Length > 0, $"{one}: no line; {status} {answer}");
            Assert.Contains($"\"event\":\"{one.Event}\",\"outcome\":\"ok\"", lines[0], StringComparison.Ordinal);
            Assert.True(lines[0].Contains(one.Says, StringComparison.Ordinal), $"{one}: {lines[0]}");
            Assert.Contains("\"from\":\"127.0.0.1:0\"", lines[0], StringComparison.Ordinal);
            Assert.Contains("\"requestId\":\"", lines[0], StringComparison.Ordinal);
            Assert.DoesNotContain("hidden value", lines[0], StringComparison.Ordinal);
            Assert.Equal(status < 400 ? 1 : 2, lines.Length);
            if (status >= 400)
            {
                Assert.Contains(
                    $"\"event\":\"{one.Event}\",\"outcome\":\"failed\"", lines[1], StringComparison.Ordinal);
            }
        }

        Assert.Empty(audited.Server.State.Security.Audit.Verify()!);
    }

    [Fact]
    public void All_routes_with_an_event_are_tried_here() => Assert.Equal(
        RouteTable.Default.Routes
            .Where(route => route.Audit != null)
            .Where(route => route.Handler.Method.DeclaringType != typeof(ServerCertificateHandler))
            .Where(route => !OfClusters.Contains(route.Handler.Method.DeclaringType!))
            .Select(NameOf).Order(StringComparer.Ordinal),
        AuditCase.All.Select(one => $"{one.Method} {one.RoutePath} {one.Event}").Order(StringComparer.Ordinal));

    [Fact]
    public void All_that_administrators_change_has_an_event()
    {
        string[] without =
        [
            .. RouteTable.Default.Routes
                .Where(route => route.Audit == null && route.Access >= Access.DatabaseAdmin)
                .Where(route => route.Verb is not (HttpVerb.Get or HttpVerb.Head))
                .Where(route => !route.Summary.StartsWith("Not served", StringComparison.Ordinal))
                .Where(route => !OfRegistry.Contains(route.Handler.Method.DeclaringType!))
                .Select(NameOf),
        ];
        Assert.Empty(without);
    }

    [Fact]
    [Trait("Invariant", "TRAIL-1")]
    public void Security_changes_are_refused_while_the_log_cannot_be_written_and_nothing_has_changed()
    {
        using var audited = new AuditedServer();
        Assert.Equal(
            CreateDatabaseStatus.Created, audited.Server.State.Databases.TryCreate("made", "{}"u8, out _));
        foreach (AuditCase one in AuditCase.All.Where(one => one.Event is "index.put" or Subscribed))
        {
            Assert.Equal(201, one.Send(audited.Server).Status);
        }

        string before = StateOf(audited.Server);
        audited.Break();
        foreach (AuditCase one in AuditCase.All.Where(MustBeFirst))
        {
            (int status, string answer) = one.Target.Contains("?name=made", StringComparison.Ordinal)
                && one.Method == "PUT"
                ? (one with { Target = "/admin/databases?name=other", Body = "{}" }).Send(audited.Server)
                : one.Send(audited.Server);
            Assert.True(status == 503, $"{one}: {status} {answer}");
            Assert.Contains("audit log cannot be", answer, StringComparison.Ordinal);
        }

        Assert.Equal(before, StateOf(audited.Server));
        foreach (AuditCase one in AuditCase.All.Where(one => !MustBeFirst(one) && one.Event != Subscribed))
        {
            (int status, string answer) = one.Send(audited.Server);
            Assert.True(status < 400 || one.IsRefusedAnyway, $"{one}: {status} {answer}");
            Assert.NotEqual(503, status);
        }

        audited.Mend();
        Assert.Equal(200, AuditCase.All[^1].Send(audited.Server).Status);
        Assert.Contains("database.deleted", audited.Lines[^1], StringComparison.Ordinal);
        Assert.Contains("are missing", Assert.Single(
            audited.Server.State.Security.Audit.Verify()!), StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_is_refused_if_the_log_is_not_required()
    {
        using var audited = new AuditedServer(isRequired: false);
        audited.Break();
        Assert.Equal(201, AuditCase.All[0].Send(audited.Server).Status);
        Assert.Equal(200, AuditCase.All[^1].Send(audited.Server).Status);
        audited.Mend();
    }

    [Fact]
    public void A_replaced_record_is_a_change_and_names_its_members()
    {
        using var audited = new AuditedServer();
        AuditCase.All[0].Send(audited.Server);
        Assert.True(audited.Server.State.Databases.TryGetRecord("made", out DatabaseRecord? record));
        var request = new InMemoryRequest("PUT", "/admin/databases", "?name=made", """{"Studio":{"A":"hidden"}}""");
        request.Request["ETag"] = $"{record!.Etag}";
        Assert.Equal(200, audited.Server.Send(request));
        Assert.Contains("database.changed", audited.Lines[^1], StringComparison.Ordinal);
        Assert.Contains("\"members\":\"Studio\"", audited.Lines[^1], StringComparison.Ordinal);
        Assert.DoesNotContain("hidden", audited.Lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "TRAIL-3")]
    public void Strangers_do_not_use_up_the_lines_of_failed_logins()
    {
        string folder = Directory.CreateTempSubdirectory("audit").FullName;
        using (var server = new RegistryServer(options => options with { AuditFolder = folder }))
        {
            for (int i = 0; i < AuditTrail.StrangersPerMinuteMax + 10; i++)
            {
                server.Expect(403, null, "GET", "/databases");
            }

            Assert.Equal(AuditTrail.StrangersPerMinuteMax, Refused().Length);
            Assert.Contains("neither a certificate", Refused()[0], StringComparison.Ordinal);
            server.Expect(401, null, "GET", "/databases", "", "Authorization: Bearer nonsense");
            Assert.Equal(AuditTrail.StrangersPerMinuteMax + 1, Refused().Length);
            server.Clock.Now += TimeSpan.FromMinutes(1);
            server.Expect(403, null, "GET", "/databases");
            Assert.Contains("\"missing\":\"10\"", Refused()[^1], StringComparison.Ordinal);
        }

        Directory.Delete(folder, recursive: true);

        string[] Refused() => Array.FindAll(
            AuditedServer.LinesOf(folder), line => line.Contains("access.refused", StringComparison.Ordinal));
    }

    [Fact]
    public void A_database_that_is_created_again_says_who_gets_in()
    {
        string folder = Directory.CreateTempSubdirectory("audit").FullName;
        using (var server = new RegistryServer(options => options with { AuditFolder = folder }))
        {
            server.Expect(200, server.Admin, "DELETE", "/admin/databases?name=db");
            server.Expect(201, server.Admin, "PUT", "/admin/databases?name=db", "{}");
            string line = AuditedServer.LinesOf(folder)[^1];
            Assert.Contains("\"getIn\":\"writer (ReadWrite)\"", line, StringComparison.Ordinal);
            Assert.Contains("\"who\":{\"kind\":\"Certificate\",\"name\":\"admin\"", line, StringComparison.Ordinal);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void The_certificate_of_the_server_has_its_lines()
    {
        string folder = Directory.CreateTempSubdirectory("audit").FullName;
        using (var server = new RegistryServer(options => options with { AuditFolder = folder }))
        {
            server.Expect(204, server.Admin, "POST", "/admin/certificates/refresh");
            server.Expect(200, server.Admin, "GET", "/admin/certificates/export");
            server.Expect(
                400, server.Admin, "POST", "/admin/certificates/replace-cluster-cert", """{"Certificate":"AAAA"}""");
            string[] events =
            [
                .. AuditedServer.LinesOf(folder).Select(line => JsonDocument.Parse(line).RootElement)
                    .Where(line => line.GetProperty("event").GetString()!.StartsWith(
                        "server.certificate", StringComparison.Ordinal))
                    .Select(line => $"{line.GetProperty("event")} {line.GetProperty("outcome")}"),
            ];
            Assert.Equal(
                [
                    "server.certificate.reloaded ok", "server.certificate.exported ok",
                    "server.certificate.replaced ok", "server.certificate.replaced failed",
                ],
                events);
        }

        Directory.Delete(folder, recursive: true);
    }

    private static string NameOf(Route route) => $"{HttpVerbs.Name(route.Verb)} {route.Path} {route.Audit}";

    private static bool MustBeFirst(AuditCase one) => RouteTable.Default.Routes.Single(route =>
        HttpVerbs.Name(route.Verb) == one.Method && route.Path == one.RoutePath).IsAuditedFirst;

    private static string StateOf(InMemoryServer server)
    {
        server.State.Databases.TryGet("made", out Raven.Documents.Database? database);
        return string.Join(
            ' ',
            server.State.Databases.Names().Select(name =>
                server.State.Databases.TryGetRecord(name, out DatabaseRecord? record) ? $"{name} {record.Etag}" : name))
            + string.Join(' ', database!.Indexes.All.Select(index => index.Name));
    }
}

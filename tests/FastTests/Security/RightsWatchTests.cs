using System.Security.Cryptography.X509Certificates;
using FastTests.Server;
using Microsoft.AspNetCore.Http;
using Raven.Documents.Operations;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace FastTests.Security;

/// <summary>What goes on while rights change: it ends with the right, and nothing else does.</summary>
[Trait("Invariant", "WATCH-1")]
public sealed class RightsWatchTests : IDisposable
{
    private static readonly TimeSpan Sweep = TimeSpan.FromMilliseconds(500);

    private readonly TaskCompletionSource _release = new();
    private readonly List<string> _asked = [];
    private readonly SecuredServer _secured;
    private bool _canBeAsked;

    public RightsWatchTests()
    {
        _secured = new SecuredServer(RouteTable.FromHandlers(
        [
            (new RouteAttribute("GET", "/databases/*/hold", Access.Read) { IsStream = true }, HoldAsync),
            (new RouteAttribute("GET", "/databases/*/need", Access.Read) { IsStream = true }, NeedAsync),
            (new RouteAttribute("GET", "/databases/*/docs", Access.Read), Answer),
            (new RouteAttribute("POST", "/databases/*/start", Access.DatabaseAdmin), Start),
        ]));
    }

    public void Dispose()
    {
        _release.TrySetResult();
        _secured.Dispose();
    }

    [Fact]
    [Trait("Security", "38")]
    [Trait("Invariant", "WATCH-2")]
    public void A_request_whose_identity_is_deleted_is_cut_at_the_second_look()
    {
        X509Certificate2 certificate = _secured.Register("held", Clearance.ValidUser, DatabaseRight.Read);
        InMemoryRequest held = Hold("held");
        InMemoryRequest other = Hold("R");
        _secured.Clock.Ring(Sweep);
        _secured.Trust.Certificates.Delete(TrustFixture.Local, certificate.Thumbprint);
        _secured.Clock.Ring(Sweep);
        Assert.False(held.WasAborted);
        _secured.Clock.Ring(Sweep);
        Assert.True(held.WasAborted);
        Assert.False(other.WasAborted);
    }

    [Fact]
    [Trait("Security", "38")]
    [Trait("Invariant", "WATCH-2")]
    public void A_request_that_can_be_asked_ends_with_a_reason_and_is_cut_if_it_does_not_end()
    {
        _canBeAsked = true;
        X509Certificate2 certificate = _secured.Register("held", Clearance.ValidUser, DatabaseRight.ReadWrite);
        InMemoryRequest held = Hold("held");
        _secured.Narrow(certificate, DatabaseRight.None);
        Ring(2);
        Assert.Contains("Read", Assert.Single(_asked), StringComparison.Ordinal);
        Ring(3);
        Assert.Single(_asked);
        Assert.False(held.WasAborted);
        _secured.Clock.Ring(TimeSpan.FromSeconds(1));
        Assert.True(held.WasAborted);
    }

    [Fact]
    [Trait("Security", "38")]
    public void A_request_goes_on_while_its_identity_keeps_the_right_that_it_needs()
    {
        X509Certificate2 certificate = _secured.Register("held", Clearance.ValidUser, DatabaseRight.Admin);
        InMemoryRequest held = Hold("held");
        InMemoryRequest writing = Hold("held", "need");
        InMemoryRequest keyed = Hold("K");
        Ring(2);
        _secured.Narrow(certificate, DatabaseRight.ReadWrite);
        Ring(4);
        Assert.False(held.WasAborted || writing.WasAborted || keyed.WasAborted);
        _secured.Narrow(certificate, DatabaseRight.Read);
        Ring(2);
        Assert.False(held.WasAborted || keyed.WasAborted);
        Assert.True(writing.WasAborted);
    }

    [Fact]
    [Trait("Security", "38")]
    [Trait("Security", "41")]
    public void A_request_ends_when_its_certificate_does()
    {
        DateTimeOffset end = _secured.Clock.Now.AddMinutes(1);
        _canBeAsked = true;
        _secured.Register("held", Clearance.Operator, DatabaseRight.None, to: end);
        Hold("held");
        Ring(2);
        Assert.Empty(_asked);
        _secured.Clock.Ring(TimeSpan.FromMinutes(2));
        _secured.Clock.Ring(Sweep);
        Assert.Contains("expired", Assert.Single(_asked), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "38")]
    public void A_request_by_a_key_ends_when_the_key_does_also_by_a_rotation()
    {
        RegisteredKey key = _secured.Trust.Current.Keys.Single(one => one.Name == "K");
        InMemoryRequest held = Hold("K");
        _secured.Trust.Keys.Rotate(TrustFixture.Local, key.Id, TimeSpan.FromMinutes(1));
        Ring(4);
        Assert.False(held.WasAborted);
        _secured.Clock.Ring(TimeSpan.FromMinutes(1));
        Ring(2);
        Assert.True(held.WasAborted);
    }

    [Fact]
    [Trait("Security", "38")]
    public void An_operation_ends_with_the_right_of_who_started_it()
    {
        X509Certificate2 certificate = _secured.Register("starter", Clearance.ValidUser, DatabaseRight.Admin);
        Assert.Equal(204, _secured.Send("starter", "POST", "/databases/red/start").StatusCode);
        RunningOperation operation = Assert.Single(_secured.Server.State.Operations.All);
        Ring(2);
        Assert.False(operation.Killed.IsCancellationRequested);
        _secured.Narrow(certificate, DatabaseRight.ReadWrite);
        Ring(1);
        Assert.True(operation.Killed.IsCancellationRequested);
    }

    [Theory]
    [InlineData("signed out", true)]
    [InlineData("12 hours", true)]
    [InlineData("disabled", false)]
    [InlineData("rotated", false)]
    [InlineData("narrowed", false)]
    [Trait("Invariant", "SESS-1")]
    public void An_operation_that_a_browser_has_begun_ends_with_the_key_and_a_request_with_the_session(
        string how, bool goesOn)
    {
        string secret = _secured.Trust.Keys.Create(
            TrustFixture.Local, KeyWith(DatabaseRight.Admin), out RegisteredKey key);
        string cookie = _secured.Server.State.Security.Sessions.Begin(secret, key.Id, out _);
        Assert.Equal(204, _secured.Server.Send(ByCookie("POST", "start", cookie)));
        RunningOperation operation = Assert.Single(_secured.Server.State.Operations.All);
        InMemoryRequest held = ByCookie("GET", "hold", cookie);
        _secured.Server.Begin(held);
        Ring(2);
        Assert.False(held.WasAborted);
        switch (how)
        {
            case "signed out":
                Assert.NotNull(_secured.Server.State.Security.Sessions.End(cookie));
                break;
            case "12 hours":
                _secured.Clock.Ring(TimeSpan.FromHours(13));
                break;
            case "disabled":
                _secured.Trust.Keys.Disable(TrustFixture.Local, key.Id);
                break;
            case "rotated":
                _secured.Trust.Keys.Rotate(TrustFixture.Local, key.Id, TimeSpan.Zero);
                break;
            default:
                _secured.Trust.Keys.Edit(TrustFixture.Local, key.Id, KeyWith(DatabaseRight.None));
                break;
        }

        Ring(2);
        Assert.Equal(!goesOn, operation.Killed.IsCancellationRequested);
        Assert.True(held.WasAborted);
        if (goesOn)
        {
            _secured.Trust.Keys.Delete(TrustFixture.Local, key.Id);
            Ring(2);
            Assert.True(operation.Killed.IsCancellationRequested);
        }
    }

    [Fact]
    [Trait("Security", "41")]
    [Trait("Invariant", "AUTH-2")]
    [Trait("Invariant", "RIGHT-2")]
    public void A_certificate_that_ends_between_two_requests_of_a_connection_is_refused_from_then_on()
    {
        DateTimeOffset end = _secured.Clock.Now.AddMinutes(1);
        _secured.Register("short", Clearance.Operator, DatabaseRight.None, to: end);
        InMemoryRequest connection = _secured.Request(_secured.Caller("short"), "GET", "/databases/red/docs");
        Assert.Equal(204, _secured.Server.Send(connection));
        _secured.Clock.Now = end;
        Assert.Equal(204, _secured.Server.Send(connection));
        _secured.Clock.Now = end.AddMilliseconds(1);
        Assert.Equal(403, _secured.Server.Send(connection));
        Assert.Contains("expired", connection.Answer, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "41")]
    public void A_certificate_that_does_not_count_yet_is_refused_until_it_does()
    {
        using X509Certificate2 certificate = TestCertificates.Make(
            "early", from: _secured.Clock.Now.AddMinutes(1));
        _secured.Trust.Certificates.Put(
            TrustFixture.Local, "early", [Raven.Security.Certificates.ClientCertificate.Of(certificate)],
            Clearance.Operator, Permissions.None);
        InMemoryRequest connection = _secured.Request(new TestCaller(certificate), "GET", "/databases/red/docs");
        Assert.Equal(403, _secured.Server.Send(connection));
        Assert.Contains("does not count before", connection.Answer, StringComparison.Ordinal);
        _secured.Clock.Now += TimeSpan.FromMinutes(2);
        Assert.Equal(204, _secured.Server.Send(connection));
    }

    [Fact]
    [Trait("Security", "39")]
    public void A_request_that_starts_after_the_answer_of_an_edit_has_the_new_rights()
    {
        using var secured = new SecuredServer();
        Assert.Equal(0, RightsRace.Run(secured, 500));
    }

    [Theory]
    [InlineData("X-Forwarded-For: 10.0.0.1")]
    [InlineData("X-Raven-Client-Cert: MIIB")]
    [InlineData("X-Real-IP: 10.0.0.1")]
    [InlineData("Forwarded: for=10.0.0.1;proto=https")]
    [InlineData("Via: 1.1 proxy")]
    [InlineData("X-HTTP-Method-Override: DELETE")]
    [Trait("Security", "44")]
    public void What_a_peer_says_of_whom_it_stands_for_has_no_effect(string header)
    {
        string[] parts = header.Split(": ", 2);
        foreach ((string name, int status) in new[] { ("N", 403), ("U", 403), ("R", 204) })
        {
            InMemoryRequest request = _secured.Request(_secured.Caller(name), "GET", "/databases/red/docs");
            string plain = Send();
            request.HostContext = null;
            request.Request[parts[0]] = parts[1];
            Assert.Equal(plain, Send());
            Assert.Equal(request.RemoteIpAddress, request.HostContext!.Caller!.Address);

            string Send()
            {
                Assert.Equal(status, _secured.Server.Send(request));
                return request.Answer;
            }
        }
    }

    [Fact]
    [Trait("Security", "44")]
    public void Failed_logins_are_counted_by_the_peer_whatever_it_says_of_whom_it_stands_for()
    {
        InMemoryRequest request = _secured.Request(_secured.Caller("U"), "GET", "/databases/red/docs");
        int status = 0;
        for (int i = 0; i < 40 && status != 429; i++)
        {
            request.HostContext = null;
            ((IHeaderDictionary)request.Request)["X-Forwarded-For"] = $"10.0.0.{i}";
            status = _secured.Server.Send(request);
        }

        Assert.Equal(429, status);
    }

    private InMemoryRequest Hold(string caller, string route = "hold")
    {
        InMemoryRequest request = _secured.Request(_secured.Caller(caller), "GET", $"/databases/red/{route}");
        (_, Task done) = _secured.Server.Begin(request);
        Assert.False(done.IsCompleted, request.Answer);
        return request;
    }

    private static RegisteredKey KeyWith(DatabaseRight right) => new()
    {
        Id = "",
        Hash = [],
        Name = "browser",
        Clearance = Clearance.ValidUser,
        Permissions = SecuredServer.OnRed(right),
        ExpiresAt = null,
        CreatedAt = default,
        CreatedBy = "",
    };

    private InMemoryRequest ByCookie(string method, string route, string cookie)
    {
        InMemoryRequest request = _secured.Request(new TestCaller(), method, $"/databases/red/{route}");
        request.Request["Cookie"] = $"{StudioCookie.Name}={cookie}";
        request.Request["Sec-Fetch-Site"] = "same-origin";
        return request;
    }

    private void Ring(int times)
    {
        for (int i = 0; i < times; i++)
        {
            _secured.Clock.Ring(Sweep);
        }
    }

    private async ValueTask HoldAsync(RequestContext request)
    {
        if (_canBeAsked)
        {
            request.Ending = _asked.Add;
        }

        await _release.Task.ConfigureAwait(false);
    }

    private async ValueTask NeedAsync(RequestContext request)
    {
        request.Require(Access.ReadWrite);
        await _release.Task.ConfigureAwait(false);
    }

    private static ValueTask Answer(RequestContext request)
    {
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    private static ValueTask Start(RequestContext request)
    {
        request.Server.Operations.Begin("red", OperationStarter.Of(request));
        return Answer(request);
    }
}

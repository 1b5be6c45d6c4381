using System.Net;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Options;

namespace Raven.Server.Http.Security;

//   CHANGE-1  Who is trusted is read and changed with a certificate, or on the server's machine: never with a key or a
//             token, whatever rights it has.
//   CHANGE-2  A server that asks no caller takes such changes only if it listens on loopback alone: a stranger must not
//             be an administrator of the server that it becomes when it gets a certificate. The address of the peer
//             would not do: behind a proxy on the same machine all callers have that of the machine.
//   CHANGE-3  A request that comes a second time, by its raft-request-id, changes nothing.

/// <summary>What requests about who is trusted have in common.</summary>
internal static class TrustRequests
{
    /// <summary>The id of a request that may come a second time.</summary>
    internal const string RequestId = "raft-request-id";

    private const int IdLengthMax = 128;

    /// <summary>Whether a caller may read who is trusted.</summary>
    /// <exception cref="RegistryException">It may not.</exception>
    internal static void CheckMayRead(RequestContext request)
    {
        if (request.Identity.Kind is IdentityKind.ApiKey or IdentityKind.Jwt)
        {
            throw new RegistryException(
                RegistryRefusal.Forbidden,
                "Certificates and API keys are managed with a certificate, not with a key or a token.");
        }
    }

    /// <summary>Whether a caller may change who is trusted, before anything of the body is read.</summary>
    /// <exception cref="RegistryException">It may not.</exception>
    internal static void CheckMayChange(RequestContext request)
    {
        CheckMayRead(request);
        if (request.Server.Security.IsSecured)
        {
            return;
        }

        Caller caller = request.Caller ??= new Caller(request.Features);
        if (request.Server.Start.Peers != PeerNetwork.Loopback || !IPAddress.IsLoopback(caller.Address))
        {
            throw new RegistryException(
                RegistryRefusal.Forbidden,
                "A server without a certificate of its own takes changes of who is trusted only if it listens on "
                + "loopback alone. On its machine, '--setup add-admin' registers an administrator.");
        }
    }

    /// <summary>Makes the change of a request, unless the same request has made it.</summary>
    /// <returns>False if it has been made.</returns>
    internal static bool TryApply(RequestContext request, Action change)
    {
        if (request.Query.GetText("raft-request-id") is not { } id)
        {
            change();
            return true;
        }

        if (id.Length > IdLengthMax)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"'{RequestId}' has at most {IdLengthMax} characters.");
        }

        Identity by = request.Identity;
        return request.Server.Security.Applied.TryApply(
            $"{by.Kind} {by.Key} {request.Method} {request.Route!.Path} {id}", change);
    }

    /// <summary>The same for a change whose answer cannot be given again.</summary>
    /// <exception cref="BadRequestException">It has been made.</exception>
    internal static void ApplyOnce(RequestContext request, Action change)
    {
        if (!TryApply(request, change))
        {
            throw new BadRequestException(
                409, ErrorType.Concurrency,
                $"The request with this '{RequestId}' has been answered, and the secret of its answer is kept "
                + "nowhere. If the answer was lost, delete what it made and send a request with another id.");
        }
    }

    /// <summary>A page of a list, by <c>start</c> and <c>pageSize</c>.</summary>
    internal static IEnumerable<T> PageOf<T>(RequestContext request, IEnumerable<T> all) =>
        all.Skip(request.Query.GetInt32("start", 0)).Take(request.Query.GetInt32("pageSize", int.MaxValue));
}

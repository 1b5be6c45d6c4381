using System.Security.Cryptography.X509Certificates;
using FastTests.Server;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>
/// An identity whose right is given and taken while it sends requests: one that starts after the answer of an edit has
/// the new rights, on a connection of its own and on one that is in use all the time.
/// </summary>
internal static class RightsRace
{
    private const string Target = "/databases/red/stats/essential";

    /// <summary>Runs a number of edits.</summary>
    /// <returns>How many requests had other rights than those of the last edit before them.</returns>
    internal static int Run(SecuredServer secured, int rounds)
    {
        X509Certificate2 certificate = secured.Register("raced", Clearance.ValidUser, DatabaseRight.Read);
        TestCaller caller = secured.Caller("raced");
        int wrong = 0;
        int edited = -1;
        bool isDone = false;
        InMemoryRequest busy = secured.Request(caller, "GET", Target);
        var user = new Thread(() =>
        {
            while (!Volatile.Read(ref isDone))
            {
                // Only if no edit has begun meanwhile is it known what is right.
                int before = Volatile.Read(ref edited);
                int status = secured.Server.Send(busy);
                if (before >= 0 && before == Volatile.Read(ref edited) && status != Expected(before))
                {
                    Interlocked.Increment(ref wrong);
                }
            }
        });
        user.Start();
        InMemoryRequest own = secured.Request(caller, "GET", Target);
        for (int i = 0; i < rounds; i++)
        {
            Volatile.Write(ref edited, -1);
            secured.Narrow(certificate, i % 2 == 0 ? DatabaseRight.Read : DatabaseRight.None);
            Volatile.Write(ref edited, i);
            if (secured.Server.Send(own) != Expected(i))
            {
                Interlocked.Increment(ref wrong);
            }
        }

        Volatile.Write(ref isDone, true);
        user.Join();
        return wrong;
    }

    private static int Expected(int edit) => edit % 2 == 0 ? 200 : 403;
}

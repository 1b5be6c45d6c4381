using System.Reflection;
using FastTests.Cluster;
using FastTests.Storage.Replication;

namespace SlowTests.Mutants;

/// <summary>Runs classes of the fast tests without a runner: facts, and theories with their lines of data.</summary>
internal static class TestsInProcess
{
    /// <summary>A test that hangs has failed.</summary>
    private static readonly TimeSpan HangLimit = TimeSpan.FromMinutes(2);

    /// <summary>The tests of the rules PARK, LOG, APPLY, DELTA and LINEAGE.</summary>
    internal static void OfReplication()
    {
        Run(typeof(CommitGateTests));
        Run(typeof(PageDeltaTests));
        Run(typeof(LogApplierTests));
        Run(typeof(RecoverUpToTests));
        Run(typeof(JournaledLogTests));
        Run(typeof(StorageReplicaFilesTests));
    }

    private static void Run(Type type)
    {
        foreach (MethodInfo test in type.GetMethods())
        {
            if (!test.IsDefined(typeof(FactAttribute), inherit: true))
            {
                continue;
            }

            object?[][] lines = [.. test.GetCustomAttributes<InlineDataAttribute>().Select(line => line.Data)];
            foreach (object?[] line in lines.Length > 0 ? lines : [[]])
            {
                Run(type, test, line);
            }
        }
    }

    private static void Run(Type type, MethodInfo test, object?[] arguments)
    {
        object instance = Activator.CreateInstance(type)!;
        try
        {
            // On a thread of the pool: a test that waits for what never comes must not hold up the process.
            var run = Task.Run(() => test.Invoke(instance, arguments) as Task ?? Task.CompletedTask);
            if (!run.Wait(HangLimit))
            {
                throw new TimeoutException($"It takes over {HangLimit}.");
            }
        }
        catch (Exception failure)
        {
            Exception cause = failure is AggregateException { InnerException: { } first } ? first : failure;
            cause = cause is TargetInvocationException { InnerException: { } thrown } ? thrown : cause;
            throw new InvalidOperationException(
                $"{type.Name}.{test.Name} fails ({string.Join(", ", arguments)}): {cause.GetType().Name}: "
                + cause.Message);
        }

        (instance as IDisposable)?.Dispose();
    }
}

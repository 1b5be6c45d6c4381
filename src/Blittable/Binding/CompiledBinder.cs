using System.Linq.Expressions;
using System.Reflection;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Binding;

/// <summary>The code of one class for <see cref="BlittableBinder"/>, compiled when the class is first bound.</summary>
/// <typeparam name="T">A class with a constructor without parameters.</typeparam>
internal static class CompiledBinder<T>
    where T : class, new()
{
    internal static readonly Func<BlittableObject, T> Read = CompileRead();
    internal static readonly Action<BlittableWriter, T> Write = CompileWrite();

    private static PropertyInfo[] Properties =>
    [
        .. typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(property => property.CanRead && property.SetMethod?.IsPublic == true
                && property.GetIndexParameters().Length == 0),
    ];

    // result = new T(); if (source.TryGet(hint, out value)) result.P = Read<P>(value, "P"); ...
    private static Func<BlittableObject, T> CompileRead()
    {
        ParameterExpression source = Expression.Parameter(typeof(BlittableObject), "source");
        ParameterExpression result = Expression.Variable(typeof(T), "result");
        ParameterExpression value = Expression.Variable(typeof(BlittableValue), "value");
        MethodInfo tryGet = typeof(BlittableObject).GetMethod(
            nameof(BlittableObject.TryGet), [typeof(PropertyHint), typeof(BlittableValue).MakeByRefType()])!;
        List<Expression> body = [Expression.Assign(result, Expression.New(typeof(T)))];
        foreach (PropertyInfo property in Properties)
        {
            MethodInfo read = BlittableConverter.ReaderOf(property.PropertyType);
            body.Add(Expression.IfThen(
                Expression.Call(source, tryGet, Expression.Constant(new PropertyHint(property.Name)), value),
                Expression.Assign(
                    Expression.Property(result, property),
                    Expression.Call(read, value, Expression.Constant(property.Name)))));
        }

        body.Add(result);
        return Expression.Lambda<Func<BlittableObject, T>>(Expression.Block([result, value], body), source).Compile();
    }

    private static Action<BlittableWriter, T> CompileWrite()
    {
        ParameterExpression target = Expression.Parameter(typeof(BlittableWriter), "target");
        ParameterExpression source = Expression.Parameter(typeof(T), "source");
        List<Expression> body = [Expression.Call(target, nameof(BlittableWriter.StartObject), null)];
        foreach (PropertyInfo property in Properties)
        {
            MethodInfo write = BlittableConverter.WriterOf(property.PropertyType);
            body.Add(Expression.Call(
                BlittableConverter.NameMethod, target, Expression.Constant(property.Name)));
            body.Add(Expression.Call(write, target, Expression.Property(source, property)));
        }

        body.Add(Expression.Call(target, nameof(BlittableWriter.EndObject), null));
        return Expression.Lambda<Action<BlittableWriter, T>>(Expression.Block(body), target, source).Compile();
    }
}
